import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { checkedOperatorFetch } from '../../fixtures/contract/check-operator-answer.ts'
import { runCoopshare, serve } from '../../fixtures/program/serve.ts'
import { findUnusedPort } from '../../fixtures/servers/peer.ts'

/** What editors, `echo` and Kubernetes put around a secret. */
const ends = ['\n', '\r\n', ' \n\n', '\t', '\u00a0', '\ufeff']

t.test('a service takes its secrets from variables that end in a line break', async (t) => {
  const data = ['--data-dir', t.testdir()]
  const operatorToken = randomBytes(32).toString('hex')
  const metricsToken = randomBytes(32).toString('hex')
  const key = randomBytes(32).toString('hex')
  const started = await serve(t, ['--demo', ...data, '--mail-from', 'mail@coop.example'], {
    COOPSHARE_OPERATOR_TOKEN: `${operatorToken}\n`,
    COOPSHARE_METRICS_TOKEN: ` ${metricsToken}\r\n`,
    COOPSHARE_ENCRYPTION_KEY: `${key}\n`,
    COOPSHARE_SMTP_URL: `smtp://user:word@127.0.0.1:${await findUnusedPort()}\n`,
  })
  const { operator_url: operatorUrl, base_url: url, client_id = '', client_secret = '' } = started
  const scrape = (token: string) =>
    checkedOperatorFetch(`${operatorUrl}/metrics`, {
      headers: { authorization: `Bearer ${token}` },
    })
  t.equal((await scrape(metricsToken)).status, 200)
  t.equal((await scrape(operatorToken)).status, 200)
  t.equal((await scrape('x'.repeat(64))).status, 401)
  for (const end of ends) {
    const asked = await runCoopshare(['organization', 'list', '--operator-url', operatorUrl], {
      COOPSHARE_OPERATOR_TOKEN: `${operatorToken}${end}`,
    })
    t.match(asked, { code: 0 }, `${JSON.stringify(end)} ${asked.stderr}`)
  }
  const verified = await runCoopshare(['contract', 'verify', '--url', url], {
    COOPSHARE_CLIENT_ID: `${client_id}\n`,
    COOPSHARE_CLIENT_SECRET: `${client_secret}\n`,
  })
  t.match(verified, { code: 0 }, verified.stderr)
  await started.stop()
  const checked = await runCoopshare(['store', 'check', ...data], { COOPSHARE_ENCRYPTION_KEY: key })
  t.match(checked, { code: 0 }, checked.stderr)
})

t.test('a signing secret from a variable that ends in a line break signs as without', async (t) => {
  const directory = t.testdir({ 'body.json': '{"a":1}' })
  const body = join(directory, 'body.json')
  const secret = 'whsec_3q2-7wSdm1lZ0aXo5bCk9vTn4yUe8rHj6gFp2sDqKzI'
  const sign = (text: string) =>
    runCoopshare(['signature', 'sign', '--at', '1767225600', body], {
      COOPSHARE_SIGNING_SECRET: text,
    })
  const { stdout: expected } = await sign(secret)
  t.match(expected, /^t=1767225600,v1=/)
  for (const end of ends) t.equal((await sign(`${secret}${end}`)).stdout, expected)
  const empty = await sign(' \n')
  t.match(empty, { code: 2, stderr: /The signing secret is empty/ })
})

t.test('a secret that is empty but for white space counts as one that is not set', async (t) => {
  const directory = t.testdir()
  const data = ['--data-dir', join(directory, 'data')]
  const served = await serve(t, data, {
    COOPSHARE_OPERATOR_TOKEN: '\n',
    COOPSHARE_METRICS_TOKEN: ' \n',
    COOPSHARE_ENCRYPTION_KEY: '\n',
  })
  await served.stop()
  t.match(await runCoopshare(['store', 'check', ...data]), { code: 0 })
  const address = await runCoopshare(['store', 'check'], { COOPSHARE_DATABASE_URL: '\n' })
  t.match(address, { code: 2, stderr: /COOPSHARE_DATABASE_URL is empty/ })
  const file = join(directory, 'key')
  await writeFile(file, '\n')
  const refused = await runCoopshare(['store', 'check', ...data, '--encryption-key-file', file])
  t.match(refused, { code: 5, stderr: /32 bytes/ })
})
