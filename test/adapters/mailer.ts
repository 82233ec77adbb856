import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { domainToASCII } from 'node:url'
import { createTransport } from 'nodemailer'
import t, { type Test } from 'tap'
import { buildAnnouncement, buildMail } from '../../fixtures/builders/mails.ts'
import { mailFrom as from, refuseAt, startMailServer } from '../../fixtures/servers/mail-server.ts'
import { findUnusedPort } from '../../fixtures/servers/peer.ts'
import { createFileMailer } from '../../src/adapters/mailer/file-mailer.ts'
import { createSmtpMailer } from '../../src/adapters/mailer/smtp-mailer.ts'
import type { InvestorMail, StatusMail } from '../../src/ports/mailer.ts'

/** The texts that people choose. */
const textFields = [
  'investorName',
  'organizationName',
  'cooperativeName',
  'cooperativeWebsite',
  'reason',
] as const

function withText(text: string): Partial<StatusMail> {
  return Object.fromEntries(textFields.map((field) => [field, text]))
}

/** Decodes the quoted-printable parts. */
function decode(mail: string): string {
  const bytes = mail
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

t.test('an e-mail goes to the mail server, in German and English', async (t) => {
  const { mailer, mails, recipients } = await startMailServer(t)
  t.match(await mailer.send(buildMail()), { status: 250, failure: null, durationMs: Number })
  t.same(recipients, ['frieda@mail.example'])
  const [mail = ''] = mails
  t.match(mail, /^From: Beispiel eG <mail@coop\.example>\r$/m)
  t.match(mail, /^To: frieda@mail\.example\r$/m)
  t.match(mail, /^Message-ID: <0198c0de-0000-7000-8000-000000000001@coop\.example>\r$/m)
  t.match(mail, /^Auto-Submitted: auto-generated\r$/m)
  const text = decode(mail)
  for (const part of [
    'Guten Tag Frieda Sonnenschein,',
    'Auftragsnummer: 0198c0de-0000-7000-8000-00000000000a',
    'Erteilt über:   Demo Bank',
    'Genossenschaft: Solar Allgäu eG',
    'Website:        https://solar.example',
    'Anteile:        1.200',
    'Gesamtbetrag:   300.000,50 EUR',
    'Stand:          freigegeben',
    'wenden Sie sich bitte an Demo Bank',
    'Mit freundlichen Grüßen\r\nBeispiel eG\r\n',
    'Dear Frieda Sonnenschein,',
    'Order number:   0198c0de-0000-7000-8000-00000000000a',
    'Placed through: Demo Bank',
    'Cooperative:    Solar Allgäu eG',
    'Shares:         1,200',
    'Total:          300,000.50 EUR',
    'Status:         approved',
    'please write to Demo Bank',
    'Kind regards\r\nBeispiel eG\r\n',
  ]) {
    t.ok(text.includes(part), part)
  }
})

t.test('a repeated e-mail has the same Message-ID', async (t) => {
  const server = await startMailServer(t)
  const { mailer, mails } = server
  await mailer.send(buildMail())
  await mailer.send(buildMail())
  const idOf = (mail = '') => /^Message-ID: (.*)\r$/m.exec(mail)?.[1]
  t.equal(idOf(mails[0]), idOf(mails[1]))
  await mailer.send(buildMail({ deliveryId: '0198c0de-0000-7000-8000-000000000002' }))
  t.not(idOf(mails[2]), idOf(mails[1]))
  t.equal(server.connections, 1, 'the connection is kept')
})

t.test('names in an e-mail are never read as markup', async (t) => {
  const { mailer, mails } = await startMailServer(t)
  for (const field of textFields) {
    await mailer.send(
      buildMail({ [field]: 'Wind & <script>x</script>\r\nBcc: other@mail.example' }),
    )
    checkMarkup(t, mails.at(-1) ?? '')
  }
})

function checkMarkup(t: Test, mail: string): void {
  const [head = '', ...body] = mail.split('\r\n\r\n')
  t.notMatch(head, /^Bcc:/m)
  const html = decode(body.join('\r\n\r\n')).split('text/html')[1]
  t.match(html, 'Wind &amp; &lt;script&gt;x&lt;/script&gt;')
  t.notMatch(html, '<script>')
}

t.test('the e-mail has a different text for every status', async (t) => {
  const { mailer, mails } = await startMailServer(t)
  const rows = [
    ['submitted', 'eingegangen', 'received'],
    ['approved', 'freigegeben', 'approved'],
    ['settled', 'ausgeführt', 'carried out'],
    ['rejected', 'abgelehnt', 'rejected'],
    ['cancelled', 'storniert', 'cancelled'],
  ] as const
  for (const [status, german, english] of rows) {
    await mailer.send(buildMail({ status }))
    const text = decode(mails.at(-1) ?? '')
    t.match(text, `Stand:          ${german}`)
    t.match(text, `Status:         ${english}`)
  }
})

t.test(
  'the announcement of a direct debit names creditor, mandate, amount and due date',
  async (t) => {
    const { mailer, mails } = await startMailServer(t)
    await mailer.send(buildAnnouncement({ creditorName: 'Solar & <b>Allgäu</b> eG' }))
    const mail = mails.at(-1) ?? ''
    const { headers, text, html } = parseMail(mail)
    t.match(headers['Subject'], 'Lastschrift angekündigt / direct debit announced: Solar Allgäu eG')
    for (const part of [
      'Guten Tag Frieda Sonnenschein,',
      'Auftragsnummer:  0198c0de-0000-7000-8000-00000000000a',
      'Gläubiger:       Solar & <b>Allgäu</b> eG',
      'Gläubiger-ID:    DE98ZZZ09999999999',
      'Mandatsreferenz: CSH-7C9E6679',
      'Betrag:          300.000,50 EUR',
      'Fällig am:       15. Dezember 2026',
      'Dear Frieda Sonnenschein,',
      'Creditor identifier: DE98ZZZ09999999999',
      'Mandate reference:   CSH-7C9E6679',
      'Amount:              300,000.50 EUR',
      'Due on:              December 15, 2026',
    ]) {
      t.ok(text.includes(part), part)
    }
    t.match(html, 'Solar &amp; &lt;b&gt;Allgäu&lt;/b&gt; eG')
    t.notMatch(text, /null|undefined|[{}]|Stand|Status|Anteile/)
  },
)

interface ParsedMail {
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly html: string
}

/** An e-mail with two parts in quoted-printable. */
function parseMail(mail: string): ParsedMail {
  const boundary = /boundary="([^"]+)"/.exec(mail)?.[1] ?? ''
  const [head = '', body = ''] = halve(mail)
  const [, text = '', html = ''] = `\r\n${body}`.split(`\r\n--${boundary}`)
  return { headers: parseHeaders(head), text: decode(halve(text)[1]), html: decode(halve(html)[1]) }
}

/** Splits at the first empty line. */
function halve(text: string): [string, string] {
  const end = text.indexOf('\r\n\r\n')
  return [text.slice(0, end), text.slice(end + 4)]
}

function parseHeaders(head: string): Readonly<Record<string, string>> {
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  const fields = lines.filter((line) => line !== '').map((line) => line.split(/: (.*)/, 2))
  return Object.fromEntries(fields.map(([name, value = '']) => [name, decodeWords(value)]))
}

function decodeWords(value: string): string {
  const joined = value.replaceAll(/\?= +=\?/g, '?==?')
  return joined.replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/g, (_, kind, word) =>
    kind === 'B' ? Buffer.from(word, 'base64').toString() : decode(word.replaceAll('_', ' ')),
  )
}

const statuses = ['submitted', 'approved', 'settled', 'rejected', 'cancelled'] as const

const names = [
  'Bürgerenergie Größenwahn eG',
  '"Zwölf & Söhne" <eG>',
  'Sonne 🌞 für alle 👩‍👩‍👧',
  'x'.repeat(300),
  'Überlandwerk '.repeat(40).trim(),
  '🌞'.repeat(60),
  'O’Neill = 50 % $& {name} ` eG',
  '=?UTF-8?Q?already?= =_coopshare',
  'ends with a space ',
  '東京太陽光',
]

function escaped(name: string): string {
  const quotes = name.replaceAll('"', '&quot;').replaceAll("'", '&#39;')
  return quotes
    .replaceAll(/&(?!quot;|#39;)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

/** Composes the same e-mail with nodemailer. */
async function composeReference(mail: ParsedMail): Promise<ParsedMail> {
  const { Subject: subject, To: to, 'Message-ID': messageId } = mail.headers
  const headers = { 'Auto-Submitted': 'auto-generated' }
  const { text, html } = mail
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message } = await transport.sendMail({
    from,
    to,
    subject,
    messageId,
    headers,
    text,
    html,
    textEncoding: 'quoted-printable',
  })
  return parseMail(String(message))
}

function longestLineOf(text: string): number {
  return Math.max(...text.split('\r\n').map(({ length }) => length))
}

async function readMail(directory: string, mail: InvestorMail): Promise<string> {
  const mailer = createFileMailer({ directory, from })
  await mailer.send(mail)
  return readFile(join(directory, `${mail.deliveryId}.eml`), 'utf8')
}

t.test('an e-mail reads well even if some data is missing [D38]', async (t) => {
  const directory = t.testdir()
  const least = { investorName: null, cooperativeWebsite: null }
  for (const status of statuses) {
    const { text, html } = parseMail(await readMail(directory, buildMail({ status, ...least })))
    t.match(text, /^Guten Tag,\r\n\r\nIhr Auftrag /)
    t.match(text, '\r\nDear investor,\r\n\r\n')
    t.match(html, '<p>Guten Tag,</p>')
    for (const part of [text, html]) {
      t.notMatch(part, /null|undefined|[{}]|Website|Begründung|Reason/, status)
    }
    t.notMatch(text, /\n\r\n\r\n/, 'no empty paragraph')
  }
  const anonymous = createFileMailer({ directory, from: 'mail@coop.example' })
  await anonymous.send(buildMail({ investorName: '\u202e \u2028' }))
  const [name = ''] = await readdir(directory)
  const { text } = parseMail(await readFile(join(directory, name), 'utf8'))
  t.match(text, /^Guten Tag,\r\n/, 'an invisible name counts as no name')
  t.match(text, /Kind regards\r\n$/, 'an e-mail of a sender without a name has no name below it')
})

t.test('an e-mail of a sender with an umlaut domain is ASCII', async (t) => {
  const sender = 'Bürgerenergie <mail@bürger.example>'
  const { mailer, mails } = await startMailServer(t, {
    from: sender,
    hideSMTPUTF8: true,
    onMailFrom: ({ address, args }, _session, callback) => {
      t.notOk(args, 'no extension is needed')
      t.equal(domainToASCII(address.split('@')[1] ?? ''), 'xn--brger-kva.example')
      callback()
    },
  })
  t.match(await mailer.send(buildMail()), { status: 250, failure: null })
  const [mail = ''] = mails
  t.notMatch(mail, /[^\x20-\x7e\r\n]/)
  t.match(mail, /^Message-ID: <[\w-]+@xn--brger-kva\.example>\r$/m)
  t.match(mail, /^From: =\?UTF-8\?Q\?B=C3=BCrgerenergie\?= <mail@xn--brger-kva\.example>\r$/m)
})

t.test('a quoted name of a sender is read without its quotes', async (t) => {
  const directory = t.testdir()
  const mail = buildMail()
  await createFileMailer({ directory, from: '"Coop: \\"Nord\\"" <mail@coop.example>' }).send(mail)
  const text = await readFile(join(directory, `${mail.deliveryId}.eml`), 'utf8')
  t.match(parseMail(text).text, 'Kind regards\r\nCoop: "Nord"\r\n')
  t.match(text, 'From: "Coop: \\"Nord\\"" <mail@coop.example>\r\n')
})

t.test('a rejection includes the reason if one was recorded', async (t) => {
  const { mailer, mails } = await startMailServer(t)
  const reason = 'Das Mandat kam zurück.'
  await mailer.send(buildMail({ status: 'rejected', reason }))
  const { text, html } = parseMail(mails[0] ?? '')
  t.match(text, `\r\nBegründung:     ${reason}\r\n`)
  t.match(text, `\r\nReason:         ${reason}\r\n`)
  t.match(html, `<td>${reason}</td>`)
})

t.test('no e-mail anticipates a decision of the cooperative [D38]', async (t) => {
  const directory = t.testdir()
  for (const status of statuses) {
    const { headers, text, html } = parseMail(await readMail(directory, buildMail({ status })))
    for (const part of [headers['Subject'] ?? '', text, html]) {
      t.notMatch(part, /angenommen|gehören|Sie sind (nun|jetzt) Mitglied|yours|are now a member/i)
    }
    const decided = status === 'approved' || status === 'settled'
    t.equal(text.includes('Zulassung'), decided, `${status}: the cooperative decides on admission`)
    t.equal(/admission/i.test(text), decided)
  }
})

t.test('an e-mail in a file has the same words as one sent by SMTP [D38]', async (t) => {
  const { mailer, mails } = await startMailServer(t)
  const directory = t.testdir()
  for (const status of statuses) {
    const mail = buildMail({ status, reason: 'für alle gleich' })
    await mailer.send(mail)
    const { Date: _, ...sent } = parseMail(mails.at(-1) ?? '').headers
    const { Date: __, ...written } = parseMail(await readMail(directory, mail)).headers
    t.same(sent, written)
    t.equal(halve(mails.at(-1) ?? '')[1], halve(await readMail(directory, mail))[1])
  }
})

t.test('an e-mail with any name has the form that nodemailer would give it', async (t) => {
  const directory = t.testdir()
  for (const status of statuses) {
    const plain = parseMail(await readMail(directory, buildMail({ status, ...withText('NAME') })))
    for (const name of names) {
      const written = await readMail(directory, buildMail({ status, ...withText(name) }))
      const mail = parseMail(written)
      const put = (text: string, value = name) => text.replaceAll('NAME', () => value)
      const expected = await composeReference({
        headers: { ...plain.headers, Subject: put(plain.headers['Subject'] ?? '') },
        text: put(plain.text),
        html: put(plain.html, escaped(name)),
      })
      const { Date: at, 'Content-Type': _, ...headers } = mail.headers
      const { Date: __, 'Content-Type': ___, ...expectedHeaders } = expected.headers
      t.same({ ...mail, headers }, { ...expected, headers: expectedHeaders }, `${status}: ${name}`)
      t.ok(Math.abs(Date.parse(at ?? '') - Date.now()) < 60_000, 'the date is the same')
      t.notMatch(
        written,
        /[^\x20-\x7e\r\n]|[^\r]\n|\r[^\n]/,
        'the text is ASCII with complete line ends',
      )
      const [head, body] = halve(written)
      t.ok(
        longestLineOf(body) <= 76 && longestLineOf(head) <= 998,
        'the lines are as short as RFC 5322 requires',
      )
    }
  }
})

t.test('no name and no address can add a header or a recipient [D38]', async (t) => {
  const directory = t.testdir()
  const plain = parseMail(await readMail(directory, buildMail({ reason: 'Eins' })))
  const countLines = ({ text }: ParsedMail) => text.split(/\r\n|[\n\r\u2028\u2029]/).length
  for (const bad of [
    '\r\nBcc: thief@mail.example',
    '\nBcc: thief@mail.example\n\nText',
    '\rBcc: thief@mail.example',
    '\u2028Bcc: thief@mail.example',
    '\r\n--=_coopshare\r\nContent-Type: text/html\r\n\r\nText',
  ]) {
    for (const field of textFields) {
      const mail = buildMail({ reason: 'Eins', [field]: `Eins${bad}` })
      const named = parseMail(await readMail(directory, mail))
      t.same(Object.keys(named.headers), Object.keys(plain.headers))
      t.equal(countLines(named), countLines(plain), `${field}: no line is added, no part cut off`)
      t.equal(named.text.split('\n').at(-2), plain.text.split('\n').at(-2), 'no part is cut off')
    }
    const addressed = await readMail(directory, buildMail({ to: `frieda@mail.example${bad}` }))
    t.same(Object.keys(parseMail(addressed).headers), Object.keys(plain.headers))
  }
})

t.test(
  'no name can reverse the text after it, and names in every script stay complete [D38]',
  async (t) => {
    const directory = t.testdir()
    for (const name of ['דוד לוי', 'محمد علي', 'نیلوفر می\u200cخواهم', '👩\u200d👩\u200d👧']) {
      for (const mark of [...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069']) {
        const mail = buildMail({ status: 'rejected', ...withText(`${mark}${name}`) })
        const { headers, text, html } = parseMail(await readMail(directory, mail))
        t.ok(headers['Subject']?.endsWith(`: ${name}`), 'after what has happened')
        t.ok(text.startsWith(`Guten Tag ${name},\r\n`))
        for (const part of [headers['Subject'], text, html]) t.notMatch(part, mark)
      }
    }
  },
)

t.test('addresses of every script and length are written as nodemailer writes them', async (t) => {
  const directory = t.testdir()
  for (const to of [
    'f.rieda+order_1@mail.example',
    'frieda@käse.example',
    'müller@mail.example',
    `${'f'.repeat(64)}@${'m'.repeat(60)}.example`,
    "o'neill{}|=?@mail.example",
  ]) {
    const mail = parseMail(await readMail(directory, buildMail({ to })))
    const expected = await composeReference({ ...mail, headers: { ...mail.headers, To: to } })
    t.equal(mail.headers['To'], expected.headers['To'], to)
  }
})

/** Replies about the recipient or this e-mail, and whether another attempt would be pointless. */
const refusals = [
  // RFC 3463: the address, the mailbox, the content.
  ['RCPT TO', '550 5.1.1', true],
  ['RCPT TO', '550 5.1.10', true],
  ['RCPT TO', '550 #5.1.0', true],
  ['RCPT TO', '554 5.1.2', true],
  ['RCPT TO', '450 4.1.2', false],
  ['RCPT TO', '552 5.2.2', true],
  ['RCPT TO', '452 4.2.2', false],
  ['RCPT TO', '450 4.2.0', false],
  ['RCPT TO', '550 4.2.1', false],
  ['RCPT TO', '550 5.6.7', true],
  ['MAIL FROM', '550 5.6.7', true],
  ['DATA', '550 5.1.1', true],
  ['DATA', '554 5.6.0', true],
  ['DATA', '452 4.2.2', false],
  // Without an enhanced status code, or with an undefined one.
  ['RCPT TO', '550', true],
  ['RCPT TO', '501', true],
  ['RCPT TO', '551', true],
  ['RCPT TO', '552', true],
  ['RCPT TO', '553', true],
  ['RCPT TO', '556', true],
  ['RCPT TO', '450', false],
  ['RCPT TO', '451', false],
  ['RCPT TO', '550 5.0.0', true],
  ['RCPT TO', '550 5.7.9.1', true],
  ['DATA', '550', true],
  ['DATA', '552', true],
  ['DATA', '554', true],
  ['DATA', '554 5.0.0', true],
] as const

t.test('a reply about the recipient or this e-mail uses up an attempt [D33]', async (t) => {
  for (const [command, code, isFinal] of refusals) {
    const { mailer } = await startMailServer(t, refuseAt(command, code))
    const outcome = await mailer.send(buildMail())
    const status = Number.parseInt(code, 10)
    t.match(outcome, { status, failure: 'mail_refused', isFinal }, `${command} ${code}`)
    t.notMatch(outcome.detail, 'frieda', 'without the address')
  }
})

/** Replies about the server or about us. */
const ownFaults = [
  ['RCPT TO', '554 5.7.1'],
  ['RCPT TO', '550 5.7.1'],
  ['RCPT TO', '454 4.7.1'],
  ['RCPT TO', '451 4.7.1'],
  ['RCPT TO', '530 5.7.0'],
  ['RCPT TO', '451 4.3.0'],
  ['RCPT TO', '452 4.3.1'],
  ['RCPT TO', '452 4.5.3'],
  ['RCPT TO', '451 4.4.3'],
  ['RCPT TO', '503 5.5.1'],
  ['RCPT TO', '550 5.1.8'],
  ['RCPT TO', '553 5.1.7'],
  ['RCPT TO', '554'],
  ['RCPT TO', '530'],
  ['RCPT TO', '452'],
  ['RCPT TO', '421 4.2.1'],
  ['RCPT TO', '421'],
  ['RCPT TO', '503'],
  ['DATA', '451 4.3.0'],
  ['DATA', '554 5.7.1'],
  ['DATA', '552 5.3.4'],
  ['DATA', '554 5.4.6'],
  ['DATA', '451'],
  ['DATA', '452'],
  ['DATA', '421 4.2.1'],
  ['DATA', '421 4.6.0'],
  ['DATA', '421'],
  ['MAIL FROM', '553'],
  ['MAIL FROM', '550'],
  ['MAIL FROM', '450 4.1.8'],
  ['MAIL FROM', '550 5.1.0'],
  ['MAIL FROM', '550 5.2.1'],
  ['MAIL FROM', '530 5.7.0'],
  ['greeting', '554 5.1.1'],
  ['greeting', '421'],
  ['AUTH', '535 5.7.8'],
  ['AUTH', '535 5.1.1'],
  ['AUTH', '454'],
] as const

t.test('a reply about the server or about us uses up no attempt [D33]', async (t) => {
  for (const [command, code] of ownFaults) {
    const { mailer } = await startMailServer(t, refuseAt(command, code))
    const error: Error = await mailer.send(buildMail()).then(t.fail, (reason) => reason)
    t.match(error.message, code, `${command} ${code}`)
    t.notMatch(`${error.message}${error.stack}`, /frieda|secret@/)
  }
})

t.test('an unreachable mail server is a fault of the service [D33]', async (t) => {
  const unused = await findUnusedPort()
  const away = createSmtpMailer({ url: `smtp://127.0.0.1:${unused}`, from })
  t.teardown(() => away.close())
  await t.rejects(away.send(buildMail()), {
    message: /^The connection to the mail server failed\. \(.*ECONNREFUSED/,
  })
})

t.test('a mail server with an unknown certificate is named as the cause [D33]', async (t) => {
  const { url, mailer } = await startMailServer(t, { disabledCommands: [] })
  const expected = {
    message: /^The certificate of the mail server .* authority.*NODE_EXTRA_CA_CERTS.*ESOCKET/,
  }
  await t.rejects(mailer.send(buildMail()), expected, 'with STARTTLS')
  const { url: secureUrl } = await startMailServer(t, { secure: true })
  const secure = createSmtpMailer({ url: secureUrl.replace('smtp:', 'smtps:'), from })
  t.teardown(() => secure.close())
  await t.rejects(secure.send(buildMail()), expected, 'with TLS from the start')
  const plain = createSmtpMailer({ url: url.replace('smtp:', 'smtps:'), from })
  t.teardown(() => plain.close())
  await t.rejects(
    plain.send(buildMail()),
    { message: /^The mail server does not begin the connection with TLS/ },
    'without TLS',
  )
})

t.test('an aborted e-mail has no outcome', async (t) => {
  const { mailer } = await startMailServer(t, { onConnect: () => {} })
  const stop = new AbortController()
  const sending = mailer.send(buildMail(), stop.signal)
  setTimeout(() => stop.abort(), 20)
  await t.rejects(sending)
})

t.test('e-mails that are written at the same moment are all complete', async (t) => {
  const directory = join(t.testdir(), 'mail')
  const mailer = createFileMailer({ directory, from })
  const ids = Array.from({ length: 100 }, (_, place) => `mail-${place}`)
  await Promise.all(ids.map((deliveryId) => mailer.send(buildMail({ deliveryId }))))
  t.same(new Set(await readdir(directory)), new Set(ids.map((id) => `${id}.eml`)))
  for (const id of ids) {
    const text = await readFile(join(directory, `${id}.eml`), 'utf8')
    t.ok(text.includes(`<${id}@coop.example>`) && text.endsWith('--\r\n'), id)
  }
})

t.test('an e-mail is written even if an earlier process left an incomplete file', async (t) => {
  const directory = t.testdir()
  const mail = buildMail()
  await writeFile(join(directory, `.${mail.deliveryId}.eml.${process.pid}`), 'half of')
  const text = await readMail(directory, mail)
  t.ok(text.endsWith('--\r\n'))
  t.same(await readdir(directory), [`${mail.deliveryId}.eml`])
})

t.test(
  'if the mail directory cannot be written, every waiting e-mail fails because of the service',
  async (t) => {
    const directory = join(t.testdir({ file: 'no directory' }), 'file')
    const mailer = createFileMailer({ directory, from })
    for (const deliveryId of ['first', 'second']) {
      await t.rejects(mailer.send(buildMail({ deliveryId })), { code: 'ENOTDIR' })
    }
  },
)

t.test('without a mail server, each e-mail is a private .eml file', async (t) => {
  const directory = join(t.testdir(), 'mail')
  const mailer = createFileMailer({ directory, from })
  const written = { failure: null, status: null, isFinal: true, written: true }
  t.match(await mailer.send(buildMail()), written)
  await mailer.send(buildMail())
  const names = await readdir(directory)
  t.same(names, ['0198c0de-0000-7000-8000-000000000001.eml'], 'a repeated e-mail replaces its file')
  const path = join(directory, names[0] ?? '')
  t.equal((await stat(path)).mode & 0o777, 0o600)
  t.equal((await stat(directory)).mode & 0o777, 0o700)
  const text = await readFile(path, 'utf8')
  t.match(text, /^To: frieda@mail\.example\r$/m)
  t.match(decode(text), 'Solar Allgäu eG')
})
