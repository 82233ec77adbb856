// The service of the pictures: the demo, two weeks of orders, and a receiver in trouble. Its clock
// stands still, and its ids come from a seed, so that the same program gives the same pictures.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../fixtures/async.ts'
import { type ConsoleDemo, serveConsoleDemo } from '../../fixtures/program/console-demo.ts'
import { connectOperator } from '../../fixtures/program/operator-client.ts'
import { type PartnerClient, signIn } from '../../fixtures/program/partner-client.ts'
import { runCoopshare } from '../../fixtures/program/serve.ts'
import type { Scope } from '../../fixtures/scope.ts'
import { answerWith } from '../../fixtures/servers/receiver.ts'

const start = '2026-11-25T08:30:00Z'
/** The time that browsers show: two hours later, when the second attempt of a delivery has failed. */
export const shownTime = '2026-11-25T10:30:00Z'

export interface Scene extends ConsoleDemo {
  readonly partner: PartnerClient
  /** Orders by what is special about them. */
  readonly orders: Readonly<Record<string, string>>
}

/** @returns a scope, and a function that ends everything in it, the youngest first */
export function openScope(name: string): { readonly scope: Scope; close(): Promise<void> } {
  const ends: (() => unknown)[] = []
  const scope: Scope = {
    name,
    teardown: (end: () => unknown) => void ends.unshift(end),
    testdir() {
      const folder = mkdtempSync(join(tmpdir(), 'coopshare-pictures-'))
      ends.push(() => rmSync(folder, { recursive: true, force: true }))
      return folder
    },
  }
  const close = async () => {
    for (const end of ends) await end()
  }
  return { scope, close }
}

export async function prepareScene(scope: Scope): Promise<Scene> {
  const argv = ['--bench', '--now', start, '--seed', '1']
  const demo = await serveConsoleDemo(scope, { now: Date.parse(start), argv })
  const { operator, receiver, served, directory, mariaToken } = demo
  const organization = 'Demo Bank'
  const list = (status: 'submitted' | 'approved' | 'settled') =>
    operator.call('purchase.list', { status, organization })
  const received = (count: number) => until(scope, () => receiver.received.length >= count)

  const [rejected = '', failing = ''] = (await list('submitted')).map(idOf)
  const [proposed = ''] = (await list('approved')).map(idOf)
  const [settled = ''] = (await list('settled')).map(idOf)
  await operator.call('purchase.approve', { share_purchase_id: rejected })
  await received(1)
  receiver.answer = answerWith(500)
  await operator.call('purchase.approve', { share_purchase_id: failing })
  await received(2)
  await runCoopshare(['clock', 'advance', '2h', '--data-dir', directory])
  await received(3)
  const reason = 'The mandate was returned.'
  await operator.call('purchase.reject', { share_purchase_id: rejected, reason })
  await received(4)
  const maria = await connectOperator(directory, mariaToken)
  await maria.call('purchase.settle', { share_purchase_id: proposed })
  const returned = await collectPayments(operator)
  const partner = await signIn(served.base_url, {
    client_id: served.client_id ?? '',
    client_secret: served.client_secret ?? '',
  })
  return { ...demo, partner, orders: { failing, rejected, proposed, settled, returned } }
}

/** The payments of one cooperative are collected, and two come back. Those of the other one stay due. */
async function collectPayments({ call }: ConsoleDemo['operator']): Promise<string> {
  const { collections } = await call('collection.create', { cooperative: 'chp-goettingen' })
  const collection_id = collections[0]?.collection_id ?? ''
  const { payments } = await call('collection.show', { collection_id })
  await call('collection.export', { collection_id })
  const [one = '', two = ''] = payments.map((payment) => payment.share_purchase_id)
  const returns = [
    { share_purchase_id: one, code: 'AM04' },
    { share_purchase_id: two, code: 'MD06' },
  ]
  const { file } = await call('statement.simulate', { collection_id, returns, charges: '3.00' })
  await call('statement.import', { name: 'camt053.xml', text: file })
  return two
}

function idOf({ share_purchase_id }: { readonly share_purchase_id: string }): string {
  return share_purchase_id
}
