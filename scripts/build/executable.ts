// Builds dist/coopshare: the program and the Node that package.json pins, in one executable that
// needs nothing else.
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { bundleProgram } from './bundle-program.ts'
import { writeCodeCaches } from './code-cache.ts'
import { findPinnedNode } from './pinned-node.ts'

const binary = 'dist/coopshare'
/** The maximum size that we promise for downloads. */
const mostMegabytes = 125
/** The mark with which node finds the program in its own file. */
const sentinelFuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

const node = findPinnedNode()

async function prepareBlob(folder: string): Promise<string> {
  const bundle = join(folder, 'coopshare.cjs')
  const caches = {
    ofServe: join(folder, 'serve.cache'),
    ofCommands: join(folder, 'commands.cache'),
  }
  const output = join(folder, 'coopshare.blob')
  const config = join(folder, 'sea.json')
  await bundleProgram(bundle, { minify: true })
  await writeCodeCaches(bundle, caches, { name: basename(bundle), node: node.program })
  const assets = {
    program: bundle,
    'code-of-serve': caches.ofServe,
    'code-of-commands': caches.ofCommands,
  }
  const options = { disableExperimentalSEAWarning: true }
  await writeFile(config, JSON.stringify({ main: 'bin/run-asset.cjs', output, assets, ...options }))
  execFileSync(node.program, ['--experimental-sea-config', config], { stdio: 'pipe' })
  return output
}

/** Strips the names of functions, which only a debugger needs, where that is possible. */
async function copyNode(): Promise<void> {
  await mkdir(dirname(binary), { recursive: true })
  await copyFile(node.program, binary)
  const isMac = process.platform === 'darwin'
  if (isMac) run('codesign', '--remove-signature', binary)
  // On macOS, the linker needs the global names.
  const argv = isMac ? ['-x', binary] : [binary]
  if (spawnSync('strip', argv).status !== 0) console.log('There is no strip: it is larger.')
}

/**
 * Runs postject as a command, because its module prints a warning for each note in the executable.
 * A failure prints its whole output.
 */
function putIn(blob: string): void {
  const isMac = process.platform === 'darwin'
  const segment = isMac ? ['--macho-segment-name', 'NODE_SEA'] : []
  const argv = [binary, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', sentinelFuse, ...segment]
  execFileSync('node_modules/.bin/postject', argv, { stdio: 'pipe' })
  if (isMac) run('codesign', '--force', '--sign', '-', binary)
}

function run(command: string, ...argv: readonly string[]): void {
  execFileSync(command, argv, { stdio: ['ignore', 'ignore', 'inherit'] })
}

const folder = await mkdtemp(join(tmpdir(), 'coopshare-'))
try {
  const blob = await prepareBlob(folder)
  await copyNode()
  putIn(blob)
} finally {
  await rm(folder, { recursive: true })
}
const megabytes = (await stat(binary)).size / 1e6
console.log(`${binary}: ${megabytes.toFixed(1)} MB, with Node ${node.version}`)
if (megabytes > mostMegabytes) {
  console.error(`It may have ${mostMegabytes} MB: look for what has made the bundle larger.`)
  process.exitCode = 1
}
