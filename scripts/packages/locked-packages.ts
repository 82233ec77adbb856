import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

const lockName = 'package-lock.json'
const modulesName = 'node_modules'

/** The path of a folder beside this file. */
export function lockedFolder(name: string): string {
  return join(import.meta.dirname, name)
}

/**
 * Installs the packages of a folder that has a lock file of its own, unless they are there already.
 * Whatever a build does not need is installed in this way, by the command that needs it.
 * @returns the path of the installed packages
 */
export function installLockedPackages(folder: string): string {
  const modules = join(folder, modulesName)
  const lock = readFileSync(join(folder, lockName), 'utf8')
  if (isInstalled(modules, lock)) return modules
  console.error(`Installing the packages of ${relative('.', folder)}.`)
  // Several processes may install the same packages at the same time. So each has its own copy, and
  // the first one stays.
  const copy = mkdtempSync(join(folder, '.installing-'))
  try {
    for (const name of ['package.json', lockName, '.npmrc'])
      cpSync(join(folder, name), join(copy, name), { dereference: true })
    const { allowScripts } = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'))
    const argv = ['ci', '--loglevel=error', ...(allowScripts ? [] : ['--ignore-scripts'])]
    execFileSync('npm', argv, { cwd: copy, stdio: ['ignore', 'ignore', 'inherit'] })
    writeFileSync(markIn(join(copy, modulesName)), lock)
    putInPlace(modules, lock, copy)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
  return modules
}

function markIn(modules: string): string {
  return join(modules, '.installed-lock')
}

function isInstalled(modules: string, lock: string): boolean {
  return existsSync(markIn(modules)) && readFileSync(markIn(modules), 'utf8') === lock
}

function putInPlace(modules: string, lock: string, copy: string): void {
  const move = () => renameSync(join(copy, modulesName), modules)
  try {
    move()
  } catch (error) {
    if (!existsSync(modules)) throw error
    if (isInstalled(modules, lock)) return
    renameSync(modules, join(copy, 'replaced'))
    move()
  }
}

/** Installs the packages of a folder, if necessary, and imports one of them. */
export async function importLocked<Module>(folder: string, name: string): Promise<Module> {
  installLockedPackages(folder)
  return import(pathToFileURL(entryOf(folder, name)).href)
}

/** `require` would find the CommonJS form of a package, whose default export is elsewhere. */
function entryOf(folder: string, name: string): string {
  const own = join(folder, 'node_modules', name)
  const { exports } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'))
  const entry: unknown = exports?.['.']?.import
  if (typeof entry === 'string') return join(own, entry)
  return createRequire(join(folder, 'package.json')).resolve(name)
}
