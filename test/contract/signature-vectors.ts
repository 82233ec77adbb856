import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ContractExport from '../../commands/contract/export.ts'
import { runCommand } from '../../fixtures/program/run-command.ts'
import { createWorld } from '../../fixtures/world/world.ts'
import { diagnoseSignature } from '../../src/tools/signature/diagnose-signature.ts'
import { listSignatureVectors, type SignatureVector } from '../../src/wire/signature-vectors.ts'

const vectors = listSignatureVectors()

function verdictsOf(isValid: (vector: SignatureVector) => boolean) {
  return Object.fromEntries(
    vectors.map((vector) => [vector.name, isValid(vector) ? 'valid' : 'invalid']),
  )
}

const expected = Object.fromEntries(vectors.map(({ name, verdict }) => [name, verdict]))

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
  t.strictSame(verdictsOf(isValidByHand), expected)
})

t.test('signature verify agrees with every vector', async (t) => {
  const isValid = ({ secret, body, header, now, tolerance_seconds }: SignatureVector) =>
    diagnoseSignature({
      secret,
      header,
      body: Buffer.from(body),
      toleranceSeconds: tolerance_seconds,
      atSeconds: now,
    }).isValid
  t.strictSame(verdictsOf(isValid), expected)
})
