import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse, stringify } from 'yaml'
import { checkAnswer } from '../../fixtures/contract/check-answer.ts'
import { readContracts } from '../../fixtures/contract/contract.ts'
import type { Exchange } from '../../fixtures/contract/exchange.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { renewContract } from '../../scripts/contract/renew.ts'
import {
  contractDirectory,
  findChanged,
  latestOf,
  readDocuments,
  readManifest,
  readSource,
  type Version,
} from '../../scripts/contract/sources.ts'
import { documents, latestVersion } from '../../src/contract/documents.ts'
import { publishedFiles } from '../../src/contract/published-files.ts'

const { latest, versions } = readManifest(contractDirectory)
const next = '99.0.0'

/** Makes a copy of the contract with a draft of the next version. */
async function draftNext(t: Test): Promise<string> {
  const directory = t.testdir()
  cpSync(contractDirectory, directory, { recursive: true })
  const document = parse(readSource(directory, `${latest}.yaml`))
  const info = { ...document.info, version: next }
  writeFileSync(join(directory, `${next}.yaml`), stringify({ ...document, info }))
  const draft = { version: next, date: '2027-01-01', draft: true, changes: ['Nothing yet.'] }
  const manifest = { latest: next, versions: [draft, ...versions] }
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify(manifest))
  await renewContract(directory)
  return directory
}

t.test('a new version begins as a draft beside the frozen version [D30]', async (t) => {
  const directory = await draftNext(t)
  const renewed = readManifest(directory)
  t.strictSame(renewed.versions.slice(1), versions)
  t.match(
    renewed.versions[0],
    exactArrays({ draft: true, files: [{ name: `${next}.yaml` }, {}, {}] }),
  )
  t.strictSame(findChanged(directory, renewed), [])

  t.test('a draft is not shown as the latest version', async (t) => {
    t.equal(renewed.latest, latest)
    const listed = publishedFiles(readDocuments(directory, renewed))
    const files = new Map(listed.map(({ path, ...file }) => [path, file]))
    for (const form of ['yaml', 'json']) {
      const pinned = files.get(`openapi/${latest}.${form}`)
      t.equal(files.get(`openapi.${form}`)?.text, pinned?.text, form)
      t.match(files.get(`openapi/${next}.${form}`), { isFrozen: false }, form)
      t.match(pinned, { isFrozen: true }, form)
    }
    const module = readSource(directory, 'documents.ts')
    t.match(
      module,
      `export const latestVersion = '${latest}'`,
      'the reference page shows the latest version',
    )
    t.match(module, `export const newestVersion = '${next}'`)
  })

  t.test('a published draft becomes the latest version', async (t) => {
    const [{ draft: _, ...published } = {}, ...others] = renewed.versions
    t.equal(latestOf([published as Version, ...others]), next)
  })
})

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape is changed here.
type Change = (document: any) => void

/** Makes contracts as if the next version were published with only this change. */
function contractsWith(change: Change) {
  const published = documents[`${latestVersion}.json`]
  const document = JSON.parse(published)
  change(document)
  return readContracts({
    ...documents,
    'manifest.json': JSON.stringify({ versions: [{ version: next, draft: true }, ...versions] }),
    [`${next}.json`]: JSON.stringify(document),
  })
}

const at = '2026-03-31T07:30:00.000Z'
const id = '0197a1de-6c1e-7a4b-9d0e-2f1f1d6b7c10'
const times = { created_at: at, updated_at: at, first_acquired_at: at }
const holding = { id, investor_id: id, cooperative_id: id, shares: 4, pending_shares: 0, ...times }
const place = {
  page: 1,
  size: 20,
  total_items: 1,
  total_pages: 1,
  has_next: false,
  has_previous: false,
}
const headers = new Headers({
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'a',
  'cache-control': 'no-store',
  'ratelimit-limit': '600',
  'ratelimit-remaining': '599',
  'ratelimit-reset': '1',
})

function answerHolding(item: object, path = `/v1/investors/${id}/holdings`): Exchange {
  const text = JSON.stringify({ items: [item], ...place })
  return { method: 'GET', path, status: 200, headers, text }
}

t.test('an answer satisfies the newest version and every published one [D30]', async (t) => {
  const grown = contractsWith(({ paths, components }) => {
    components.schemas.Holding.properties.certificate_url = { type: ['string', 'null'] }
    components.schemas.Holding.required.push('certificate_url')
    const { get } = paths['/v1/investors/{investorId}/holdings']
    paths['/v1/holdings'] = { get: { ...get, operationId: 'listAllHoldings' } }
  })
  const more = { ...holding, certificate_url: null }
  t.doesNotThrow(() => checkAnswer(answerHolding(more), grown))
  t.doesNotThrow(() => checkAnswer(answerHolding(more, '/v1/holdings'), grown), 'a new operation')
  t.throws(() => checkAnswer(answerHolding(holding), grown), /certificate_url is missing/)
  t.throws(
    () => checkAnswer(answerHolding({ ...more, extra: 1 }), grown),
    /extra is not documented/,
  )

  const broken = contractsWith(({ components: { schemas } }) => {
    const { shares, ...properties } = schemas.Holding.properties
    schemas.Holding.properties = { ...properties, share_count: shares }
    schemas.Holding.required = Object.keys(schemas.Holding.properties)
  })
  const { shares: share_count, ...rest } = holding
  const told = new RegExp(`by ${latest}: .*/shares is missing`)
  t.throws(() => checkAnswer(answerHolding({ ...rest, share_count }), broken), told)
})
