// dist/coopshare: the program and the node that builds it, in one executable that needs nothing else.
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { bundleProgram } from './bundle-program.ts'
import { writeCodeCache } from './write-code-cache.ts'

const binary = 'dist/coopshare'
/** What is promised to whoever downloads it. */
const mostMegabytes = 95
/** Where node looks for a program in itself. */
const sentinelFuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

async function prepareBlob(folder: string): Promise<string> {
  const bundle = join(folder, 'coopshare.cjs')
  const codeCache = join(folder, 'coopshare.cache')
  const output = join(folder, 'coopshare.blob')
  const config = join(folder, 'sea.json')
  await bundleProgram(bundle, { minify: true })
  await writeCodeCache(bundle, codeCache, basename(bundle))
  const assets = { program: bundle, 'code-cache': codeCache }
  const options = { disableExperimentalSEAWarning: true }
  await writeFile(config, JSON.stringify({ main: 'bin/run-asset.cjs', output, assets, ...options }))
  execFileSync(process.execPath, ['--experimental-sea-config', config], { stdio: 'pipe' })
  return output
}

/** Without the names of its functions, which only a debugger reads, where they can be taken out. */
async function copyNode(): Promise<void> {
  await mkdir(dirname(binary), { recursive: true })
  await copyFile(process.execPath, binary)
  const isMac = process.platform === 'darwin'
  if (isMac) run('codesign', '--remove-signature', binary)
  // There the linker needs the names that are not local; with all of them it would have 99 MB.
  const argv = isMac ? ['-x', binary] : [binary]
  if (spawnSync('strip', argv).status !== 0) console.log('There is no strip: it is larger.')
}

/** By its command: as a module it prints a warning for each note in the executable. A failure tells all of it. */
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
console.log(`${binary}: ${megabytes.toFixed(1)} MB, with node ${process.versions.node}`)
if (megabytes > mostMegabytes) {
  console.error(`It may have ${mostMegabytes} MB: look for what has made the bundle larger.`)
  process.exitCode = 1
}
