import pjson from '../../../package.json' with { type: 'json' }
import { describeLostOutput, watchOutput } from '../lost-output.ts'

export interface Description {
  readonly name: string
  readonly oclif: { readonly additionalVersionFlags: readonly string[] }
}

/** Called before oclif is loaded, because loading oclif is the slowest part of a start. */
export function asksForVersion({ oclif }: Description, [word = '']: readonly string[]): boolean {
  return word === '--version' || oclif.additionalVersionFlags.includes(word)
}

export async function printVersion(description: Description): Promise<void> {
  watchOutput()
  process.stdout.write(`${renderVersion(description)}\n`)
  const lost = await describeLostOutput()
  if (lost === undefined) return
  process.stderr.write(`Error: ${lost}\n`)
  process.exitCode = 1
}

function renderVersion({ name }: Description): string {
  const { version, commit } = build
  const runtime = `${process.platform}-${process.arch} node-${process.version}`
  return `${name}/${version} ${runtime} commit ${commit}`
}

/** The bundler defines it; undefined if the program runs from its sources. */
declare const buildCommit: string | undefined

export interface Build {
  readonly version: string
  /** Ends with `+dirty` if the sources had uncommitted changes. */
  readonly commit: string
}

export const build: Build = {
  version: pjson.version,
  commit: typeof buildCommit === 'string' ? buildCommit : 'unknown',
}
