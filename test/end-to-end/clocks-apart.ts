import t from 'tap'
import { until } from '../../fixtures/async.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { findFaketime, howToGetFaketime } from '../../fixtures/program/installed-tools.ts'
import { signIn } from '../../fixtures/program/partner-client.ts'
import { createInstances, type Instance } from '../../fixtures/program/served-instances.ts'
import { startReceiver } from '../../fixtures/servers/receiver.ts'

const faketime = findFaketime()
const skip = faketime ? false : howToGetFaketime

t.test('two instances whose clocks differ by 30 s can use one store', { skip }, async (t) => {
  const { seed, start } = await createInstances(t, [
    ...['--data-dir', '/var/lib/coopshare-$port'],
    // The instances have the same base URL, because a token is valid only where its issuer is the
    // same.
    ...['--base-url', 'https://coop.example'],
  ])
  const { organizationId: organization, investorId, cooperativeId } = seed
  const ahead = await start({
    LD_PRELOAD: faketime ?? '',
    FAKETIME: '+30s',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  })
  const behind = await start()
  const both: readonly Instance[] = [ahead, behind]
  const clockOf = async ({ partner }: Instance) =>
    Date.parse((await partner.send('GET', '/v1/me')).headers.get('date') ?? '')
  const apartMs = (await clockOf(ahead)) - (await clockOf(behind))
  t.ok(apartMs > 20_000, `they are ${apartMs} ms apart`)

  const receiver = await startReceiver(t)
  await behind.operator.call('webhook.register', { organization, url: receiver.url })
  const ids: string[] = []
  for (let order = 0; order < 10; order += 1) {
    const key = `twin-${order}`
    const twins = [...both, ...both].map(({ partner }) =>
      partner.order(investorId, cooperativeId, key),
    )
    const answers = await Promise.all(twins)
    t.strictSame(new Set(answers.map(({ status }) => status)), new Set([201]))
    const found = new Set<string>(answers.map(({ body }) => body.share_purchase_id))
    t.equal(found.size, 1, 'a key has one order at both instances')
    ids.push(...found)
  }
  for (const [index, share_purchase_id] of ids.entries()) {
    const [here, there] = index % 2 ? [ahead, behind] : [behind, ahead]
    await here.operator.call('purchase.approve', { share_purchase_id })
    await there.operator.call('purchase.settle', { share_purchase_id })
  }
  await until(t, () => receiver.received.length >= 3 * ids.length, 60_000)
  for (const id of ids) {
    const told = receiver.received.filter(({ event }) => event.data.share_purchase_id === id)
    const statuses = told.map(({ event }) => event.type.slice('share_purchase.'.length))
    t.strictSame(statuses, ['submitted', 'approved', 'settled'])
  }
  const { body } = await behind.partner.send('GET', `/v1/investors/${investorId}/holdings`)
  t.match(body.items, exactArrays([{ shares: 50, pending_shares: 0 }]))

  const credentials = { client_id: seed.clientId, client_secret: seed.clientSecret }
  for (const [issuer, reader] of [
    [ahead, behind],
    [behind, ahead],
  ] as const) {
    const { accessToken } = await signIn(issuer.served.listening_url, credentials)
    // biome-ignore lint/style/noRestrictedGlobals: this test is about the token; others check the answer.
    const { status } = await fetch(`${reader.served.listening_url}/v1/me`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
    t.equal(status, 200, 'a token of one instance is valid at the other')
  }
  for (const { served } of both) t.match(await served.stop(), { code: 0 })
})
