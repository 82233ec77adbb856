import { createHash } from 'node:crypto'
import { array, is, string, type } from 'superstruct'
import {
  compareVersions,
  type PinnedContract,
  publishedIn,
} from '../../contract/pinned-contract.ts'
import { withShownAddress } from '../../contract/published-files.ts'
import type { Answer } from './client.ts'
import type { Expectation, Known } from './step.ts'

export interface Common {
  /** The versions to check against, newest first. */
  readonly contracts: readonly PinnedContract[]
  /** Versions of the deployment that this program does not have. */
  readonly unknown: readonly string[]
}

/** A deployment may be older or newer than this program. */
export function findCommon(ours: readonly PinnedContract[], manifest: unknown): Common {
  const theirs = publishedIn(manifest)
  if (theirs === undefined) return { contracts: ours, unknown: [] }
  const contracts = ours.filter(({ version }) => theirs.includes(version))
  const known = ours.map(({ version }) => version)
  return {
    // Without a common version the responses are checked anyway, and the manifest counts as
    // different.
    contracts: contracts.length > 0 ? contracts : ours,
    unknown: theirs.filter((version) => !known.includes(version)),
  }
}

/** A deployment with a newer version must still serve the older ones. */
export function expectOlderVersions(ours: readonly PinnedContract[]): Expectation {
  return ({ body }: Answer) => {
    const theirs = publishedIn(body)
    if (theirs === undefined) return undefined
    const newest = theirs.toSorted(compareVersions).at(-1)
    const missing = ours.find(
      ({ version }) =>
        !theirs.includes(version) && newest !== undefined && compareVersions(version, newest) < 0,
    )
    if (missing) return `/versions lacks ${missing.version}, which was published`
    const isOneKnown = ours.some(({ version }) => theirs.includes(version))
    return isOneKnown ? undefined : `/versions has none of the known versions: ${namesOf(ours)}`
  }
}

function namesOf(contracts: readonly PinnedContract[]): string {
  return contracts.map(({ version }) => version).join(', ')
}

const Manifest = type({
  latest: string(),
  versions: array(
    type({ version: string(), files: array(type({ name: string(), sha256: string() })) }),
  ),
})

/** Documents of the deployment are checked against its own digests. */
export function keepManifest(body: unknown): Known {
  if (!is(body, Manifest)) return {}
  const files = body.versions.flatMap((version) => version.files)
  const digests = files.map(({ name, sha256 }) => [digestOf(name), sha256])
  return { latest: body.latest, ...Object.fromEntries(digests) }
}

export function expectLatest({ body }: Answer): string | undefined {
  if (!is(body, Manifest)) return undefined
  const { latest, versions } = body
  const first = versions[0]?.version
  return latest === first
    ? undefined
    : `/latest is ${latest}, but the first of /versions is ${first}`
}

export function expectPageOfLatest({ text }: Answer, { latest = '' }: Known): string | undefined {
  if (!/^\s*<!doctype html\b/i.test(text)) return 'is not an HTML page'
  return text.includes(latest) ? undefined : `is not a page of ${latest}`
}

export function expectDigest(nameOf: (known: Known) => string): Expectation {
  return ({ text }, known) => {
    if (known['latest'] === undefined) return undefined
    const name = nameOf(known)
    const digest = known[digestOf(name)]
    if (digest === undefined) return `is not ${name}: the manifest has no sha256 for it`
    if (digest === sha256(text)) return undefined
    return `is not ${name}: its sha256 does not match the manifest`
  }
}

/** The latest version may contain the address of the deployment. */
export function expectLatestDigest(form: string): Expectation {
  return (answer, known) => {
    const expectPublished = expectDigest(({ latest }) => `${latest}.${form}`)
    const { issuer } = known
    if (issuer === undefined || expectPublished(answer, known) === undefined)
      return expectPublished(answer, known)
    return expectPublished({ ...answer, text: withShownAddress(answer.text, issuer) }, known)
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function digestOf(name: string): string {
  return `sha256 of ${name}`
}
