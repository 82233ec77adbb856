import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { type Answer, createWorld } from '../../fixtures/world/world.ts'
import { renewContract } from '../../scripts/contract/renew.ts'
import { findChanged, readManifest } from '../../scripts/contract/sources.ts'

const source = join(import.meta.dirname, '..', '..', 'src', 'contract')
const manifest = JSON.parse(readFileSync(join(source, 'manifest.json'), 'utf8'))

async function readPublished(path: string, headers?: Record<string, string>): Promise<Answer> {
  const { request } = await createWorld()
  return request('GET', path, { headers })
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

t.test('the bytes of a published file match the manifest [S-versions-3] [D30]', async (t) => {
  for (const { version, files } of manifest.versions) {
    t.strictSame(
      files.map(({ name }: { name: string }) => name),
      [`${version}.yaml`, `${version}.json`, `${version}.postman_collection.json`],
    )
    for (const { name, sha256: expected } of files) {
      const { status, text } = await readPublished(`/openapi/${name}`)
      t.strictSame([status, sha256(text)], [200, expected], name)
    }
    const yaml = readFileSync(join(source, `${version}.yaml`), 'utf8')
    t.equal(sha256(yaml), files[0].sha256, 'the published file is the source')
  }
})

/** The digests of published versions. They never change, whatever the manifest says. */
const frozen: Readonly<Record<string, string>> = {
  '1.6.0.yaml': '843499fd7900f2556863e7bf075742a2e911656229f1030df953140c4c98225e',
  '1.6.0.json': 'a689e4c0ee6471c23f4ead0d1b6d4fc848da9c87c70eca7979205708c62d5797',
  '1.6.0.postman_collection.json':
    'ea3a5afab1e7f57f99efce312b4c04b326f84bf4229f026efb9890013ec22665',
}

t.test('every published file still exists unchanged [D30]', async (t) => {
  for (const [name, expected] of Object.entries(frozen)) {
    t.equal(sha256((await readPublished(`/openapi/${name}`)).text), expected, name)
  }
  const names = manifest.versions
    .filter(({ draft }: { draft?: boolean }) => !draft)
    .flatMap(({ files }: { files: { name: string }[] }) => files.map(({ name }) => name))
  t.strictSame(
    names.sort(),
    Object.keys(frozen).sort(),
    'each frozen file has a digest in this test',
  )
})

function copyContract(t: Test): string {
  const directory = t.testdir()
  cpSync(source, directory, { recursive: true })
  return directory
}

t.test('a changed frozen version is found, and is not pinned again [D30]', async (t) => {
  for (const name of ['1.6.0.yaml', '1.6.0.postman_collection.json']) {
    const directory = copyContract(t)
    appendFileSync(join(directory, name), ' ')
    const told = new RegExp(
      `^${name} differs from the published file, .* raise info\\.version`,
      'm',
    )
    t.match(findChanged(directory, readManifest(directory)).join('\n'), told)
    await t.rejects(renewContract(directory), { message: told })
    for (const untouched of ['manifest.json', 'documents.ts', 'types.ts']) {
      const text = readFileSync(join(directory, untouched), 'utf8')
      t.equal(text, readFileSync(join(source, untouched), 'utf8'), untouched)
    }
  }
})

t.test('the manifest has every version with its date and its changes [S-versions-4]', async (t) => {
  const { headers, body } = await readPublished('/openapi/manifest.json')
  t.equal(headers.get('content-type'), 'application/json')
  t.strictSame(body, manifest)
  const published = body.versions.filter(({ draft }: { draft?: boolean }) => !draft)
  t.equal(published[0].version, body.latest)
  for (const { date, changes } of body.versions) {
    t.match(date, /^\d{4}-\d\d-\d\d$/)
    t.ok(changes.length > 0)
  }
})

/** The address of `createWorld` and the address in the contract. */
const [ownAddress, shownAddress] = ['https://partner-api.example', 'https://partners.example']

function withShownAddress(text: string): string {
  return text.replaceAll(ownAddress, shownAddress)
}

t.test(
  'latest and pinned files, YAML and JSON differ only in the address of the service [S-versions-2]',
  async (t) => {
    const { latest } = manifest
    const yaml = await readPublished('/openapi.yaml')
    const json = await readPublished('/openapi.json')
    t.equal(yaml.headers.get('content-type'), 'application/yaml')
    t.equal(json.headers.get('content-type'), 'application/json')
    t.equal(json.body.info.version, latest)
    t.strictSame(parse(yaml.text), json.body)
    for (const form of ['yaml', 'json', 'postman_collection.json']) {
      const { headers, text } = await readPublished(`/openapi.${form}`)
      const pinned = await readPublished(`/openapi/${latest}.${form}`)
      t.equal(withShownAddress(text), pinned.text, form)
      t.not(text, pinned.text, form)
      t.not(headers.get('etag'), pinned.headers.get('etag'), form)
    }
  },
)

t.test(
  'the latest contract and the latest collection name the address of the service',
  async (t) => {
    const { body: contract, text } = await readPublished('/openapi.json')
    t.equal(contract.servers[0].url, ownAddress)
    t.notMatch(text, shownAddress)
    const { body: collection } = await readPublished('/openapi.postman_collection.json')
    t.match(collection.variable[0], { key: 'baseUrl', value: ownAddress })
  },
)

t.test('the contract has a strong ETag, and an unchanged file is answered with 304', async (t) => {
  const pinned = 'public, max-age=31536000, immutable'
  for (const [path, cacheControl] of [
    ['/openapi.yaml', 'public, max-age=300'],
    ['/openapi.json', 'public, max-age=300'],
    ['/openapi.postman_collection.json', 'public, max-age=300'],
    ['/openapi/manifest.json', 'public, max-age=300'],
    ['/openapi/1.6.0.yaml', pinned],
    ['/openapi/1.6.0.json', pinned],
    ['/openapi/1.6.0.postman_collection.json', pinned],
  ] as const) {
    const first = await readPublished(path)
    const etag = first.headers.get('etag') ?? ''
    t.match(etag, /^"[^"]+"$/, path)
    t.equal(first.headers.get('cache-control'), cacheControl, path)
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, headers, text } = await readPublished(path, { 'if-none-match': tags })
      t.strictSame([status, text], [304, ''], `${path} ${tags}`)
      t.equal(headers.get('etag'), etag, `${path} ${tags}`)
    }
    t.equal((await readPublished(path, { 'if-none-match': '"other"' })).status, 200, path)
  }
})

t.test('a version that was never published is answered with 404', async (t) => {
  for (const path of ['/openapi/1.5.0.yaml', '/openapi/1.6.0.html', '/openapi/latest.json']) {
    t.equal((await readPublished(path)).body.code, 'NOT_FOUND', path)
  }
})
