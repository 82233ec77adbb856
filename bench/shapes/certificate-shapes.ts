import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createWebhookSender } from '../../src/adapters/webhook-sender/webhook-sender.ts'
import { escapeToOneLine } from '../../src/domain/text.ts'
import { toTimestamp } from '../../src/domain/timestamp.ts'
import { judgeCertificate } from '../../src/usecases/webhooks/diagnose-webhook-endpoint.ts'
import { fill, fillWith } from './input-shape.ts'
import type { LocalGroup } from './local-shapes.ts'

/** OpenSSL accepts certificates of up to 100 kB. */
const bytes = 60_000
/** A self-signed certificate contains its subject twice, and each field adds its name. */
const subjectBytes = bytes / 3
const names = fillWith((number) => `DNS:${number}.example`, bytes / 2, ',')

/** Subjects as written in the configuration of `openssl req`, by title. */
const subjects = {
  plain: { subject: 'O = Bank', extension: `nsComment = ${fill('a', bytes)}` },
  'many names': { subject: 'O = Bank', extension: `subjectAltName = ${names}` },
  'many issuers': { subject: fieldsOf('O', 'Bank'), extension: 'nsComment = a' },
  'an issuer of many parts': { subject: fieldsOf('OU', 'Unit'), extension: 'nsComment = a' },
  'hidden characters': { subject: fieldsOf('O', fill('\u202e', 180)), extension: 'nsComment = a' },
}

function fieldsOf(name: string, value: string): string {
  return fillWith((number) => `${number}.${name} = ${value}`, subjectBytes, '\n')
}

/**
 * Measures how `webhook doctor` reads the certificate of a receiver. The figures include the CPU of
 * the receiver.
 */
export async function certificateGroup(folder: string): Promise<LocalGroup> {
  const urls: Record<string, string> = {}
  for (const [title, { subject, extension }] of Object.entries(subjects)) {
    urls[title] = await startReceiver(folder, { title, subject, extension })
  }
  const { plain = '', ...inputs } = urls
  return { title: 'a certificate of a receiver, 60 kB', plain, inputs, read: readCertificate }
}

interface Receiver {
  readonly title: string
  readonly subject: string
  readonly extension: string
}

async function startReceiver(folder: string, receiver: Receiver): Promise<string> {
  const { title, subject, extension } = receiver
  const [config, key, cert] = ['cnf', 'key', 'crt'].map((ending) =>
    join(folder, `${title.replaceAll(' ', '-')}.${ending}`),
  ) as [string, string, string]
  writeFileSync(
    config,
    `[req]\ndistinguished_name = dn\nx509_extensions = ext\nprompt = no\nutf8 = yes\n[dn]\n${subject}\n[ext]\n${extension}\n`,
  )
  const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-utf8']
  const paths = ['-config', config, '-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', ...made, ...paths], { stdio: ['ignore', 'ignore', 'pipe'] })
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) })
  server.unref()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

async function readCertificate(url: string): Promise<string> {
  const inspection = await createWebhookSender({ allowPrivate: true }).inspectCertificate(url)
  if (inspection.issuer === null && inspection.validTo === null)
    throw new Error(`${url}: ${inspection.fault}`)
  return escapeToOneLine(judgeCertificate(inspection, toTimestamp(new Date())).detail)
}
