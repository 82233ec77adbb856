import { spawnSync } from 'node:child_process'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import ts from 'typescript'
import ContractExport from '../../commands/contract/export.ts'
import { findSavedFiles, readDocument } from '../../fixtures/program/document-blocks.ts'
import { runCommand } from '../../fixtures/program/run-command.ts'
import { createWorld } from '../../fixtures/world/world.ts'
import { diagnoseSignature } from '../../src/tools/signature/diagnose-signature.ts'
import { listSignatureVectors, type SignatureVector } from '../../src/wire/signature-vectors.ts'

const vectors = listSignatureVectors()

function verdictsOf(isValid: (vector: SignatureVector) => boolean, among = vectors) {
  return Object.fromEntries(
    among.map((vector) => [vector.name, isValid(vector) ? 'valid' : 'invalid']),
  )
}

const expected = (among: readonly SignatureVector[] = vectors) =>
  Object.fromEntries(among.map(({ name, verdict }) => [name, verdict]))

t.test('the export and the service have the same array of signature vectors', async (t) => {
  const directory = t.testdir()
  await runCommand(ContractExport, directory)
  const exported = readFileSync(join(directory, 'signature-vectors.json'), 'utf8')
  t.strictSame(JSON.parse(exported), vectors)
  t.strictSame(listSignatureVectors(), vectors, 'every call returns the same list')
  const { request } = await createWorld()
  const { status, headers, text } = await request('GET', '/signature-vectors.json')
  t.strictSame([status, headers.get('content-type')], [200, 'application/json'])
  t.equal(text, exported)
})

t.test('every vector has a unique name, and a reason if it is invalid', async (t) => {
  t.ok(vectors.length >= 15)
  t.equal(new Set(vectors.map(({ name }) => name)).size, vectors.length)
  for (const { name, verdict, reason } of vectors) {
    t.equal(reason === undefined, verdict === 'valid', name)
  }
  const reasons = new Set(vectors.map(({ reason }) => reason))
  t.equal(reasons.size, 16, 'fifteen reasons, and valid vectors without a reason')
})

/** Verifies a vector by the text of the specification, without code of the service. */
function isValidByHand(vector: SignatureVector): boolean {
  const { secret, body, header, now, tolerance_seconds: tolerance } = vector
  const pairs = header.split(',')
  const [time] = pairs.filter((pair) => /^t=\d{1,11}$/.test(pair))
  if (time === undefined) return false
  const t = time.slice('t='.length)
  if (Math.abs(now - Number(t)) > tolerance) return false
  const signedPayload = Buffer.concat([Buffer.from(`${t}.`), Buffer.from(body, 'utf8')])
  const hex = createHmac('sha256', Buffer.from(secret)).update(signedPayload).digest('hex')
  return pairs.includes(`v1=${hex}`)
}

t.test('a second implementation agrees with every vector', async (t) => {
  t.strictSame(verdictsOf(isValidByHand), expected())
})

t.test('signature verify agrees with every vector', async (t) => {
  const isValid = ({ secret, body, header, now, tolerance_seconds }: SignatureVector) =>
    diagnoseSignature({
      ...{ secret, header, body: Buffer.from(body) },
      ...{ toleranceSeconds: tolerance_seconds, atSeconds: now },
    }).isValid
  t.strictSame(verdictsOf(isValid), expected())
})

const receivers = findSavedFiles(readDocument('docs/partners/receivers.md'))
/**
 * The receivers in the documents use the default tolerance, so they are tested only with these
 * vectors.
 */
const usual = vectors.filter(({ tolerance_seconds: seconds }) => seconds === 300)

t.test('the documented receiver in TypeScript agrees with every vector', async (t) => {
  const [source = ''] =
    /^function isGenuine[\s\S]*?^}$/m.exec(receivers['receiver.mts'] ?? '') ?? []
  const script = ts.transpile(source, { target: ts.ScriptTarget.ES2022 })
  const isValid = ({ secret, header, body, now }: SignatureVector) =>
    runInNewContext(`${script}\nisGenuine(header, Buffer.from(body))`, {
      ...{ createHmac, timingSafeEqual, Buffer, header, body },
      Date: { now: () => now * 1000 + 999 },
      COOPSHARE_SIGNING_SECRET: secret,
    }) === true
  t.strictSame(verdictsOf(isValid, usual), expected(usual))
})

const pythonHarness = `
import hashlib, hmac, json, sys
class time:
    time = staticmethod(lambda: vector["now"] + 0.999)
source, vectors = json.load(sys.stdin)
exec(source)
verdicts = {}
for vector in vectors:
    SIGNING_SECRET = vector["secret"].encode()
    verdicts[vector["name"]] = is_genuine(vector["header"], vector["body"].encode())
print(json.dumps(verdicts))
`

t.test('the documented receiver in Python agrees with every vector', async (t) => {
  const [source = ''] =
    /^def is_genuine[\s\S]*?(?=^\S)/m.exec(
      (receivers['receiver.py'] ?? '').replace(/^[\s\S]*?(?=^def is_genuine)/m, ''),
    ) ?? []
  const input = JSON.stringify([source, usual])
  const ran = spawnSync('python3', ['-c', pythonHarness], { input, encoding: 'utf8' })
  t.equal(ran.stderr, '')
  const verdicts = JSON.parse(ran.stdout)
  t.strictSame(
    verdictsOf(({ name }) => verdicts[name], usual),
    expected(usual),
  )
})
