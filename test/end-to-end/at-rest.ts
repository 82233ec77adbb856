import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { companySections, completeProfile, germanIban } from '../../fixtures/builders/investors.ts'
import { signIn } from '../../fixtures/program/partner-client.ts'
import { fillStore } from '../../fixtures/program/run-command.ts'
import { runCoopshare, serve } from '../../fixtures/program/serve.ts'
import { orderFor, seedOrders } from '../../fixtures/world/seed-orders.ts'

const debtorIban = 'DE02120300000000202051'
const email = 'frieda.sonnenschein@mail.example'

interface Entry {
  readonly path: string
  readonly isDirectory: boolean
  readonly mode: number
}

/**
 * Looks again if a file has disappeared, because an e-mail has a temporary name until it is
 * complete.
 */
async function lookAgain<Found>(look: () => Promise<Found>): Promise<Found> {
  return look().catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return lookAgain(look)
    throw error
  })
}

async function entriesOf(directory: string): Promise<Entry[]> {
  const names = await readdir(directory, { recursive: true })
  return Promise.all(
    ['', ...names].map(async (path) => {
      const status = await stat(join(directory, path))
      return { path, isDirectory: status.isDirectory(), mode: status.mode & 0o777 }
    }),
  )
}

/** Returns the text and its possible encodings in a file. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text)
  const base64 = [0, 1, 2].map((offset) => base64Behind(offset, bytes))
  return [text, text.toLowerCase(), bytes.toString('hex'), ...base64]
}

/**
 * Encodes bytes as a part of a longer text in base64. Characters that depend on neighbouring bytes
 * are cut off.
 */
function base64Behind(offset: number, bytes: Buffer): string {
  const start = Math.ceil((offset * 4) / 3)
  const end = Math.floor(((offset + bytes.length) * 4) / 3)
  return Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .slice(start, end)
}

async function findIn(
  directory: string,
  texts: readonly string[],
  isSearched = (_path: string) => true,
): Promise<string[]> {
  const contents = await lookAgain(async () => {
    const entries = await entriesOf(directory)
    const files = entries.filter(({ path, isDirectory }) => !isDirectory && isSearched(path))
    return Promise.all(files.map(({ path }) => readFile(join(directory, path))))
  })
  return texts.filter((text) =>
    formsOf(text).some((form) => contents.some((content) => content.includes(form))),
  )
}

async function requireModes(t: Test, directory: string): Promise<void> {
  for (const { path, isDirectory, mode } of await lookAgain(() => entriesOf(directory))) {
    t.equal(mode, isDirectory ? 0o700 : 0o600, `mode of ${path || 'the directory'}`)
  }
}

t.test('a text is also found inside base64, at any offset', async (t) => {
  for (const before of ['', '{', '{"', '{"a']) {
    const file = Buffer.from(`${before}${email}"}`).toString('base64')
    t.strictSame(await findIn(t.testdir({ file }), [email]), [email], before)
  }
})

t.test('no secret or personal data is readable below the data directory', async (t) => {
  const dataDirectory = join(t.testdir(), 'data')
  const here = ['--data-dir', dataDirectory]
  const seed = await fillStore(dataDirectory, seedOrders(1))
  const served = await serve(t, here)
  const minted = await runCoopshare(['client', 'rotate-secret', seed.clientId, '--json', ...here])
  const secondSecret: string = JSON.parse(minted.stdout).client_secret
  await runCoopshare(['key', 'rotate', '--now', ...here])
  const credentials = { client_id: seed.clientId, client_secret: secondSecret }
  const partner = await signIn(served.base_url, credentials)
  const investorId = await partner.register({
    partner_customer_ref: 'company-1',
    email: 'office@windkraft.example',
    profile: completeProfile(companySections()),
  })
  const order = { ...orderFor(seed.cooperativeId), sepa_mandate: mandate(debtorIban) }
  const path = `/v1/investors/${investorId}/share-purchases`
  const headers = { 'idempotency-key': 'an-order' }
  t.match(await partner.send('POST', path, { body: order, headers }), { status: 201 })

  const profile = completeProfile()
  const secrets = [
    ...[seed.clientSecret, secondSecret, partner.accessToken, seed.token],
    ...[germanIban, debtorIban, profile.tax_id ?? '', 'DE000000000'],
    ...['PRIVATE KEY', '"d":"', '"qi":"'],
  ]
  const personal = [
    ...[email, 'office@windkraft.example', 'Windkraft Beispiel'],
    ...[profile.last_name ?? '', profile.birth_date ?? '', 'Sonnenallee'],
  ]
  const plain = [seed.clientId, investorId, 'company-1', digest(secondSecret)]

  await t.test('nothing is readable while the service runs', async (t) => {
    t.strictSame(await findIn(dataDirectory, secrets), [])
    t.strictSame(await findIn(dataDirectory, personal, isNoMail), [])
    t.strictSame(await findIn(dataDirectory, plain), plain, 'the search finds existing text')
    await requireModes(t, dataDirectory)
  })

  await t.test('nothing is readable in a snapshot', async (t) => {
    await runCoopshare(['store', 'compact', ...here])
    await served.stop()
    t.strictSame(await findIn(dataDirectory, secrets), [])
    t.strictSame(await findIn(dataDirectory, personal, isNoMail), [])
    t.strictSame(await findIn(dataDirectory, plain), plain, 'the search finds existing text')
    await requireModes(t, dataDirectory)
  })
})

/** Without a mail server, e-mails to investors are files that name their recipient, even while they are written. */
function isNoMail(path: string): boolean {
  return !/\.eml(\.|$)/.test(path)
}

function mandate(debtor_iban: string) {
  return { signed_at: '2026-01-10T09:30:00+01:00', debtor_iban }
}

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
