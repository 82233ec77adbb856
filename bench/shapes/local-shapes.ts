import {
  findShapeFaults,
  parseLocated,
  renderFaults,
} from '../../src/cli/files/located-document.ts'
import { documents } from '../../src/contract/documents.ts'
import { listPinnedContracts } from '../../src/contract/pinned-contract.ts'
import { Problem } from '../../src/domain/problem.ts'
import { parseSigned } from '../../src/http/operator-signature.ts'
import { createAnswerCheck } from '../../src/tools/contract/check-answer.ts'
import { type Answer, readBody } from '../../src/tools/contract/client.ts'
import {
  expectLatest,
  expectOlderVersions,
  findCommon,
  keepManifest,
} from '../../src/tools/contract/manifest.ts'
import { expectSameKeySet, keepKeySet } from '../../src/tools/contract/read-steps.ts'
import { fixtureFileShape } from '../../src/wire/fixture-file.ts'
import { certificateGroup } from './certificate-shapes.ts'
import { fill } from './input-shape.ts'
import { jsonTexts } from './json-shapes.ts'

/**
 * Input that a command reads itself. Only the user of the command waits for it, but a file or an
 * answer of another server must not hang the command. One group is a header that the operator
 * endpoint reads before it knows the caller.
 */
export interface LocalGroup {
  readonly title: string
  readonly plain: string
  readonly inputs: Readonly<Record<string, string>>
  readonly read: (input: string) => unknown
}

const bytes = 64_000
const bank = '  - name: Bank\n    clients:\n      - { name: client, scopes: [cooperatives:read] }\n'

const file = { name: '1.0.0.yaml', sha256: '0'.repeat(64) }
const version = { version: '1.0.0', date: '2026-01-01', files: [file, file, file, file, file] }
const key = { kty: 'RSA', use: 'sig', alg: 'RS256', kid: '0'.repeat(36), n: 'a'.repeat(342) }

export async function listLocalGroups(folder: string): Promise<readonly LocalGroup[]> {
  return [fixtureFile, manifest, keySet, signedHeader, await certificateGroup(folder)]
}

const fixtureFile: LocalGroup = {
  title: 'a fixture file of 64 kB',
  plain: `organizations:\n${fill(bank, bytes)}`,
  inputs: {
    ...jsonTexts(bytes),
    'lines of a list': `organizations:\n${fill('- 1', bytes, '\n')}`,
    'an anchor many times': `a: &a [1]\nb: [${fill('*a', bytes, ',')}]`,
    'merged keys': `a: &a {b: 1}\nc:\n${fill('  <<: *a', bytes, '\n')}`,
    'a long comment': `#${fill('a', bytes)}\norganizations: []`,
  },
  read: readFixtures,
}

const manifest: LocalGroup = {
  title: 'a manifest of another deployment, 64 kB',
  plain: `{"latest":"1.0.0","versions":[${fill(JSON.stringify(version), bytes, ',')}]}`,
  inputs: {
    ...jsonTexts(bytes),
    'many versions': `{"latest":"1","versions":[${fill('{"version":"1.0.0","files":[]}', bytes, ',')}]}`,
    '200 versions, each with files': `{"latest":"1","versions":[${Array.from({ length: 200 }, () => '{"version":"1.0.0","files":[{"name":"","sha256":""},{"name":"","sha256":""},{"name":"","sha256":""},{"name":"","sha256":""},{"name":"","sha256":""},{"name":"","sha256":""},{"name":"","sha256":""},{"name":"","sha256":""},{"name":"","sha256":""},{"name":"","sha256":""}]}').join()}]}`,
  },
  read: readManifest,
}

const keySet: LocalGroup = {
  title: 'a key set of another deployment, 64 kB',
  plain: `{"keys":[${fill(JSON.stringify(key), bytes, ',')}]}`,
  inputs: {
    ...jsonTexts(bytes),
    'many keys': `{"keys":[${fill('{"kty":"RSA"}', bytes, ',')}]}`,
    '200 keys with many members': `{"keys":[${Array.from({ length: 200 }, () => `{${Array.from({ length: 40 }, (_, member) => `"${member}":1`).join()}}`).join()}]}`,
  },
  read: readKeySet,
}

const headerBytes = 15_000
const scheme = 'Coopshare-Signature '

const signedHeader: LocalGroup = {
  title: 'a signed Authorization header of 15 kB',
  plain: `${scheme}${fill('name="value"', headerBytes, ', ')}`,
  inputs: {
    'a long word': `${scheme}${fill('a', headerBytes)}`,
    'a name without an end': `${scheme}${fill('a="', headerBytes, ' ')}`,
    'quotes only': `${scheme}${fill('"', headerBytes)}`,
  },
  read: parseSigned,
}

function readFixtures(text: string): unknown {
  try {
    const document = parseLocated('shapes.yaml', text)
    return renderFaults(document, findShapeFaults(document.value, fixtureFileShape))
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

async function* whole(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

const contracts = listPinnedContracts(documents)
const checkAnswer = createAnswerCheck(contracts)

async function answerOf(text: string): Promise<Answer> {
  const headers = new Headers({ 'content-type': 'application/json', 'x-request-id': 'shapes' })
  const address = new URL('http://127.0.0.1/openapi/manifest.json')
  const read = await readBody(whole(text))
  return { status: 200, headers, ...read, requestId: 'shapes', address }
}

/** Does all the work of `contract verify` on a manifest. */
async function readManifest(text: string): Promise<unknown> {
  const answer = await answerOf(text)
  const expect = [expectLatest, expectOlderVersions(contracts)]
  const step = { operationId: 'readContractManifest', status: 200, expect }
  const { body } = answer
  return [findCommon(contracts, body), await checkAnswer(step, answer, {}), keepManifest(body)]
}

async function readKeySet(text: string): Promise<unknown> {
  const answer = await answerOf(text)
  const step = { operationId: 'readKeySet', status: 200, expect: [expectSameKeySet] }
  const known = keepKeySet(answer.body)
  return checkAnswer(step, answer, known)
}
