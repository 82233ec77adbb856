import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { type Answer, createWorld } from '../../fixtures/world.ts'

const source = join(import.meta.dirname, '..', '..', 'src', 'contract')
const manifest = JSON.parse(readFileSync(join(source, 'manifest.json'), 'utf8'))

async function readPublished(path: string, headers?: Record<string, string>): Promise<Answer> {
  const { request } = await createWorld()
  return request('GET', path, { headers })
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

t.test('a published file is frozen: its bytes are those of the manifest', async (t) => {
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
    t.equal(sha256(yaml), files[0].sha256, 'the source is what is published')
  }
})

t.test('the manifest has every version with its date and its changes', async (t) => {
  const { headers, body } = await readPublished('/openapi/manifest.json')
  t.equal(headers.get('content-type'), 'application/json')
  t.strictSame(body, manifest)
  t.equal(body.versions[0].version, body.latest)
  for (const { date, changes } of body.versions) {
    t.match(date, /^\d{4}-\d\d-\d\d$/)
    t.ok(changes.length > 0)
  }
})

t.test('latest and pinned, YAML and JSON say the same', async (t) => {
  const { latest } = manifest
  const yaml = await readPublished('/openapi.yaml')
  const json = await readPublished('/openapi.json')
  t.equal(yaml.headers.get('content-type'), 'application/yaml')
  t.equal(json.headers.get('content-type'), 'application/json')
  t.equal(json.body.info.version, latest)
  t.strictSame(parse(yaml.text), json.body)
  t.equal((await readPublished(`/openapi/${latest}.yaml`)).text, yaml.text)
  t.equal((await readPublished(`/openapi/${latest}.json`)).text, json.text)
})

t.test('a strong ETag; what is unchanged is 304', async (t) => {
  const [{ draft }] = manifest.versions
  const pinned = draft ? 'public, max-age=300' : 'public, max-age=31536000, immutable'
  for (const [path, cacheControl] of [
    ['/openapi.yaml', 'public, max-age=300'],
    ['/openapi.json', 'public, max-age=300'],
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

t.test('a version that was never published is 404', async (t) => {
  for (const path of ['/openapi/1.5.0.yaml', '/openapi/1.6.0.html', '/openapi/latest.json']) {
    t.equal((await readPublished(path)).body.code, 'NOT_FOUND', path)
  }
})
