import { createHash } from 'node:crypto'
import { array, is, string, type } from 'superstruct'
import { withShownAddress } from '../../contract/own-address.ts'
import type { Answer } from './pinned-contract.ts'
import type { Expectation, Known } from './step.ts'

const Manifest = type({
  latest: string(),
  versions: array(
    type({ version: string(), files: array(type({ name: string(), sha256: string() })) }),
  ),
})

/** What the deployment says of its documents: they are measured by it. */
export function keepManifest(body: unknown): Known {
  if (!is(body, Manifest)) return {}
  const files = body.versions.flatMap((version) => version.files)
  const digests = files.map(({ name, sha256 }) => [digestOf(name), sha256])
  return { latest: body.latest, ...Object.fromEntries(digests) }
}

/** The newest version is the first. */
export function expectLatest({ body }: Answer): string | undefined {
  if (!is(body, Manifest)) return undefined
  const { latest, versions } = body
  const first = versions[0]?.version
  return latest === first ? undefined : `/latest is ${latest}, the first of /versions is ${first}`
}

/** A page, and of that version. */
export function expectPageOfLatest({ text }: Answer, { latest = '' }: Known): string | undefined {
  if (!/^\s*<!doctype html\b/i.test(text)) return 'is no page of HTML'
  return text.includes(latest) ? undefined : `is not a page of ${latest}`
}

/** The bytes that are served are those of which the manifest tells. */
export function expectDigest(nameOf: (known: Known) => string): Expectation {
  return ({ text }, known) => {
    if (known['latest'] === undefined) return undefined
    const name = nameOf(known)
    const digest = known[digestOf(name)]
    if (digest === undefined) return `is not ${name}: the manifest has no sha256 of it`
    return digest === sha256(text) ? undefined : anotherDigest(name)
  }
}

/** The latest version, as it was published or with the address of the deployment in it. */
export function expectLatestDigest(form: string): Expectation {
  return (answer, known) => {
    const expectPublished = expectDigest(({ latest }) => `${latest}.${form}`)
    const { issuer } = known
    if (issuer === undefined || expectPublished(answer, known) === undefined)
      return expectPublished(answer, known)
    return expectPublished({ ...answer, text: withShownAddress(answer.text, issuer) }, known)
  }
}

const anotherDigest = (name: string) => `is not ${name}: the manifest has another sha256`

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function digestOf(name: string): string {
  return `sha256 of ${name}`
}
