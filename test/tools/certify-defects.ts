import t from 'tap'
import WebhookCertify from '../../commands/webhook/certify.ts'
import { runCommand } from '../../fixtures/program/run-command.ts'
import {
  certifiedSecret,
  isSigned,
  processEvent,
  type ReceiverSteps,
  startCertifiedReceiver,
} from '../../fixtures/servers/certified-receiver.ts'

const variable = 'COOPSHARE_SIGNING_SECRET'
process.env[variable] = certifiedSecret
t.teardown(() => delete process.env[variable])

const never = () => new Promise<number>(() => {})
const typeOf = (bytes: Buffer) => JSON.parse(bytes.toString()).type
const knownTypes = /^share_purchase\./
const knownFields = ['id', 'type', 'created_at', 'data']

/** The defects, each with exactly the cases that it fails. */
const defects: Readonly<Record<string, readonly [Partial<ReceiverSteps>, ...string[]]>> = {
  'does not compare the signature': [
    { isGenuine: ({ header, bytes }) => isSigned(header, bytes, { needsMatch: false }) },
    'wrong_signature',
    'altered_body',
    'rotated_secret',
  ],
  'accepts old signatures': [
    {
      isGenuine: ({ header, bytes }) => isSigned(header, bytes, { isInTime: (age) => age > -300 }),
    },
    'stale_time',
  ],
  'accepts signatures of the future': [
    { isGenuine: ({ header, bytes }) => isSigned(header, bytes, { isInTime: (age) => age < 300 }) },
    'future_time',
  ],
  'verifies only what is signed': [
    { isGenuine: ({ header, bytes }) => header === undefined || isSigned(header, bytes) },
    'missing_signature',
  ],
  'refuses an event for ever that it has refused once': [
    {
      look: ({ header, bytes }, { seen }) => {
        const { id } = JSON.parse(bytes.toString())
        if (seen.has(`refused ${id}`)) return 409
        if (!isSigned(header, bytes)) seen.add(`refused ${id}`)
        return undefined
      },
    },
    'rotated_secret',
    'refused_then_processed',
  ],
  'remembers an event before it verifies': [
    {
      look: ({ header, bytes }, { seen }) => {
        if (!isSigned(header, bytes)) seen.add(JSON.parse(bytes.toString()).id)
        return undefined
      },
    },
    'refused_then_processed',
  ],
  'verifies JSON that it has written again': [
    {
      isGenuine: ({ header, bytes }) =>
        isSigned(header, JSON.stringify(JSON.parse(bytes.toString()))),
    },
    'other_formatting',
  ],
  'reads the body as Latin-1': [
    { isGenuine: ({ header, bytes }) => isSigned(header, bytes.toString('latin1')) },
    'non_ascii',
  ],
  'refuses unknown types': [
    { check: ({ type }) => (knownTypes.test(type) ? undefined : 400) },
    'unknown_type',
  ],
  'refuses unknown fields': [
    {
      check: (event) =>
        Object.keys(event).every((key) => knownFields.includes(key)) ? undefined : 400,
    },
    'unknown_field',
  ],
  'refuses repeated events': [
    { check: ({ id }, { seen }) => (seen.has(id) ? 409 : undefined) },
    'duplicate',
    'retry',
  ],
  'refuses events out of order': [
    {
      check: ({ data, created_at: at }, { orders }) =>
        (orders.get(data.share_purchase_id)?.at ?? '') > at ? 409 : undefined,
    },
    'out_of_order',
  ],
  'processes repeated events again': [
    { isRepeated: () => false },
    'duplicate_processed_once',
    'retry_processed_once',
  ],
  'lets the last event win': [{ isLate: () => false }, 'latest_status'],
  'processes before it verifies': [
    {
      look: ({ header, bytes }, memory) => {
        if (!isSigned(header, bytes)) processEvent(JSON.parse(bytes.toString()), memory)
        return undefined
      },
    },
    'refused_not_processed',
  ],
  'does not answer to some events': [
    { look: ({ bytes }) => (knownTypes.test(typeOf(bytes)) ? undefined : never()) },
    'answer_time',
  ],
}

for (const [defect, [replaced, ...failed]] of Object.entries(defects)) {
  t.test(`a receiver that ${defect} fails ${failed.join(', ')}`, async (t) => {
    const { url, stateUrl } = await startCertifiedReceiver(t, replaced)
    const argv = [url, '--state-url', stateUrl, '--json']
    const { json, exitCode } = await runCommand(WebhookCertify, ...argv)
    t.equal(exitCode, 4)
    const found = json.cases.filter((each: { result: string }) => each.result === 'failed')
    t.strictSame(
      found.map((each: { case: string }) => each.case),
      failed,
    )
    t.match(json, { certified: false, failed: failed.length })
  })
}
