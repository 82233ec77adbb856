import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { findFaketime } from '../../fixtures/program/installed-tools.ts'
import { runCoopshare, serve } from '../../fixtures/program/serve.ts'

const faketime = findFaketime()
const tls = join(import.meta.dirname, '..', '..', 'fixtures', 'tls')
const certificate = join(tls, 'localhost.crt')
const files = ['--operator-cert', certificate, '--operator-key', join(tls, 'localhost.key')]

t.test(
  'commands reach an operator endpoint with TLS, locally and from another machine',
  async (t) => {
    const directory = t.testdir()
    const data = join(directory, 'data')
    const { operator_url } = await serve(t, [...files, '--data-dir', data])
    t.match(operator_url, /^https:/)
    const list = ['organization', 'list', '--json']
    t.match(await runCoopshare([...list, '--data-dir', data]), { code: 0, stdout: '[]' })

    const { token } = JSON.parse(await readFile(join(data, 'control.json'), 'utf8'))
    const variables = { COOPSHARE_OPERATOR_TOKEN: token }
    const remote = [...list, '--data-dir', join(directory, 'none'), '--operator-url', operator_url]
    const trusting = await runCoopshare([...remote, '--operator-ca', certificate], variables)
    t.match(trusting, { code: 0, stdout: '[]' })
    const refused = await runCoopshare(remote, variables)
    t.equal(refused.code, 5)
    t.match(JSON.parse(refused.stdout).error, {
      code: 'SERVICE_UNAVAILABLE',
      message: /is not trusted: self-signed certificate.*--operator-ca/,
    })
    const other = await runCoopshare(
      [...remote, '--operator-ca', join(tls, 'authority.crt')],
      variables,
    )
    t.equal(other.code, 5, 'a certificate of another authority is not accepted')
    if (!faketime) return
    // The certificate is valid for 100 years.
    const later = { LD_PRELOAD: faketime, FAKETIME: '+150y', ...variables }
    const late = await runCoopshare([...remote, '--operator-ca', certificate], later)
    t.match(late.stdout, /certificate has expired\. Renew the certificate and restart the service/)
  },
)

t.test('a command explains that the certificate is for another name', async (t) => {
  const [cert, key] = [join(tls, 'only-name.crt'), join(tls, 'localhost.key')]
  const own = ['--operator-cert', cert, '--operator-key', key]
  const { operator_url } = await serve(t, [...own, '--data-dir', join(t.testdir(), 'data')])
  const list = ['organization', 'list', '--json', '--operator-ca', cert]
  const variables = { COOPSHARE_OPERATOR_TOKEN: 'any' }
  const refused = await runCoopshare([...list, '--operator-url', operator_url], variables)
  t.equal(refused.code, 5)
  t.match(refused.stdout, /In --operator-url, use a name or address of the certificate/)
})

t.test('in production an operator endpoint for other machines needs TLS', async (t) => {
  const here = ['--data-dir', t.testdir(), '--environment', 'production', '--no-investor-mail']
  const open = [...here, '--operator-host', '0.0.0.0']
  const refused = await runCoopshare(['serve', '--port', '0', ...open])
  t.equal(refused.code, 2)
  t.match(refused.stderr, /In production, the operator endpoint at 0\.0\.0\.0 needs TLS/)
  const served = await serve(t, [...open, ...files])
  t.equal((await served.stop()).code, 0)
})

t.test('a certificate without its key is refused', async (t) => {
  const argv = ['serve', '--data-dir', t.testdir(), '--operator-cert', certificate]
  const refused = await runCoopshare(argv)
  t.equal(refused.code, 2)
  t.match(refused.stderr, 'Give --operator-cert and --operator-key together.')
})
