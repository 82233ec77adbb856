import { array, boolean, is, optional, string, type } from 'superstruct'
import type { Answer, PinnedContract } from './pinned-contract.ts'
import type { Expectation } from './step.ts'

const Versions = type({
  versions: array(type({ version: string(), draft: optional(boolean()) })),
})

export interface Common {
  /** By which the answers are measured, the newest first. */
  readonly contracts: readonly PinnedContract[]
  /** Those of the deployment that this program does not have. */
  readonly unknown: readonly string[]
}

/** A deployment may stand at an older version than this program, or at a newer one. */
export function findCommon(ours: readonly PinnedContract[], manifest: unknown): Common {
  const theirs = publishedIn(manifest)
  if (theirs === undefined) return { contracts: ours, unknown: [] }
  const contracts = ours.filter(({ version }) => theirs.includes(version))
  const known = ours.map(({ version }) => version)
  return {
    // With none in common the answers are measured all the same, and the manifest is what differs.
    contracts: contracts.length > 0 ? contracts : ours,
    unknown: theirs.filter((version) => !known.includes(version)),
  }
}

/** What may still change is not published. */
export function publishedIn(manifest: unknown): string[] | undefined {
  if (!is(manifest, Versions)) return undefined
  return manifest.versions.filter(({ draft }) => !draft).map(({ version }) => version)
}

/** What was published stays: whoever has a newer version still has the older ones. */
export function expectOlderVersions(ours: readonly PinnedContract[]): Expectation {
  return ({ body }: Answer) => {
    const theirs = publishedIn(body)
    if (theirs === undefined) return undefined
    const newest = theirs.toSorted(compareVersions).at(-1)
    const lacking = ours.find(
      ({ version }) =>
        !theirs.includes(version) && newest !== undefined && compareVersions(version, newest) < 0,
    )
    if (lacking) return `/versions lacks ${lacking.version}, which was published`
    const isOneKnown = ours.some(({ version }) => theirs.includes(version))
    return isOneKnown ? undefined : `/versions has none that is known here: ${namesOf(ours)}`
  }
}

function namesOf(contracts: readonly PinnedContract[]): string {
  return contracts.map(({ version }) => version).join(', ')
}

export function compareVersions(left: string, right: string): number {
  return left.localeCompare(right, 'en', { numeric: true })
}
