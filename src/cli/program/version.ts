import { describeLostOutput, watchOutput } from '../lost-output.ts'
import { build } from './build.ts'

export interface Description {
  readonly name: string
  readonly oclif: { readonly additionalVersionFlags: readonly string[] }
}

/** Asked before oclif is loaded, which takes longer than all else that a start does. */
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
