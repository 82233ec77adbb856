// `npm run binary` builds dist/coopshare, an executable with the program and the Node that
// scripts/packages/executable pins. `npm run binary:check` only measures how long it takes to start.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { installLockedPackages } from '../packages/locked-packages.ts'
import { bundleProgram } from './bundle.ts'
import { writeCodeCaches } from './code-caches.ts'
import { executableFolder, findPinnedNode } from './pinned-node.ts'

const binary = 'dist/coopshare'
/** The maximum size of the executable that the documents promise. */
const maximumMegabytes = 125
/** The maximum time of a start, in relation to `node -e 0`. */
const maximumTimes = 1.7
const rounds = 61
/** Node finds the program in its own file by this mark. */
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
  const options = {
    disableExperimentalSEAWarning: true,
    // At SIGUSR1, Node would open a debugger to every user of the machine, even before the program runs.
    execArgv: ['--disable-sigusr1'],
  }
  await writeFile(config, JSON.stringify({ main: 'bin/run-asset.cjs', output, assets, ...options }))
  execFileSync(node.program, ['--experimental-sea-config', config], { stdio: 'pipe' })
  return output
}

/**
 * Copies Node without the names of functions, which only a debugger needs, if the machine has
 * `strip`.
 */
async function copyNode(): Promise<void> {
  await mkdir(dirname(binary), { recursive: true })
  await copyFile(node.program, binary)
  const isMac = process.platform === 'darwin'
  if (isMac) run('codesign', '--remove-signature', binary)
  // On macOS, the linker needs the global names.
  const argv = isMac ? ['-x', binary] : [binary]
  if (spawnSync('strip', argv).status !== 0)
    console.log('This machine has no strip, so the executable is larger.')
}

/**
 * Runs postject as a command, because its module prints a warning for each note in the executable.
 * A failure prints its whole output.
 */
function putIn(blob: string): void {
  const isMac = process.platform === 'darwin'
  const segment = isMac ? ['--macho-segment-name', 'NODE_SEA'] : []
  const argv = [binary, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', sentinelFuse, ...segment]
  const postject = join(installLockedPackages(executableFolder), '.bin', 'postject')
  execFileSync(postject, argv, { stdio: 'pipe' })
  if (isMac) run('codesign', '--force', '--sign', '-', binary)
}

function run(command: string, ...argv: readonly string[]): void {
  execFileSync(command, argv, { stdio: ['ignore', 'ignore', 'inherit'] })
}

async function buildExecutable(): Promise<void> {
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
  if (megabytes > maximumMegabytes) {
    console.error(
      `The executable may have at most ${maximumMegabytes} MB. Find out what has made the bundle larger.`,
    )
    process.exitCode = 1
  }
}

/**
 * Starts the executable and the Node that it contains alternately, because on a busy machine only
 * the ratio of their times is meaningful.
 */
function checkStart(): void {
  if (!existsSync(binary)) throw new Error(`There is no ${binary}. Run \`npm run binary\`.`)
  const taken = Array.from({ length: rounds }, () => ({
    node: measure(node.program, '-e', '0'),
    binary: measure(binary, '--version'),
  }))
  const nodeMs = median(taken.map(({ node }) => node))
  const binaryMs = median(taken.map(({ binary }) => binary))
  const times = binaryMs / nodeMs
  console.log(
    `${binary} --version: ${binaryMs.toFixed(0)} ms; node -e 0 of ${node.version}: ${nodeMs.toFixed(0)} ms; the ratio is ${times.toFixed(2)}, of at most ${maximumTimes} (medians of ${rounds})`,
  )
  if (times > maximumTimes) {
    console.error(
      'The executable starts too slowly. Find out what a start now also reads or compiles.',
    )
    process.exitCode = 1
  }
}

function measure(program: string, ...argv: readonly string[]): number {
  const begun = performance.now()
  execFileSync(program, argv, { stdio: 'ignore' })
  return performance.now() - begun
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0
}

if (process.argv.includes('--check')) checkStart()
else await buildExecutable()
