import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Description {
  readonly name: string
  readonly version: string
  readonly files: readonly string[]
  readonly [key: string]: unknown
}

/**
 * The fields of package.json that users need. Dependencies are left out, because the program
 * contains them.
 */
const published = [
  ...['name', 'version', 'description', 'license', 'type', 'engines'],
  ...['bin', 'exports', 'typesVersions', 'files'],
]

/** Makes the npm package after a build. @returns the path of the package */
export function packProgram(root: string, destination: string): string {
  const description: Description = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const folder = mkdtempSync(join(tmpdir(), 'coopshare-'))
  try {
    for (const path of [...description.files, 'LICENSE'])
      cpSync(join(root, path), join(folder, path), { recursive: true })
    // The page of a registry shows this file, and none of ours beside it.
    cpSync(join(root, 'scripts', 'release', 'npm-readme.md'), join(folder, 'README.md'))
    const kept = Object.fromEntries(published.map((key) => [key, description[key]]))
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(kept, null, 2)}\n`)
    mkdirSync(destination, { recursive: true })
    const argv = ['pack', '--silent', '--pack-destination', destination]
    execFileSync('npm', argv, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  } finally {
    rmSync(folder, { recursive: true })
  }
  return join(destination, `${description.name}-${description.version}.tgz`)
}
