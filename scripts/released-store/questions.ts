import type { Known } from './fill-store.ts'
import { type Json, type Program, signIn } from './program.ts'

/** Answers by what was asked. */
export type Answers = Readonly<Record<string, Json>>

const lists = [
  'organization list',
  'client list',
  'key list',
  'cooperative list',
  'webhook list',
  'purchase list',
  'purchase list --status approved',
  'event list',
  'event list --state pending',
  'event list --state dead',
  'event list --state dead --mail',
  'event list --state delivered',
  'fixtures export',
]

/** All that commands say of a store. */
export async function askCommands(program: Program): Promise<Answers> {
  const answers: Record<string, Json> = {}
  const ask = async (question: string): Promise<Json> => {
    answers[question] = await program.run(...question.split(' '))
    return answers[question]
  }
  for (const question of lists) await ask(question)
  for (const { event_id } of answers['event list']) await ask(`event show ${event_id}`)
  for (const { key } of answers['cooperative list']) await ask(`cooperative show ${key}`)
  for (const { client_id } of answers['client list']) await ask(`client show ${client_id}`)
  return answers
}

/** All that each partner can read, by client and path. */
export async function askPartnerApi(program: Program, known: Known): Promise<Answers> {
  const serving = await program.serve()
  const answers: Record<string, Json> = {}
  for (const client of known.clients) {
    const send = await signIn(serving, client)
    for (const path of pathsOf(client.client_id, known)) {
      answers[`${client.client_id} ${path}`] = (await send('GET', path)).body
    }
  }
  await serving.stop()
  return answers
}

function pathsOf(clientId: string, { provisions, orders }: Known): string[] {
  const isOwn = ({ client_id }: { readonly client_id: string }) => client_id === clientId
  const investors = provisions.filter(isOwn).map(({ answer }) => answer.investor_id)
  return [
    '/v1/me',
    '/v1/cooperatives?include_coordinates=true',
    ...investors.flatMap((id) => [
      `/v1/investors/${id}`,
      `/v1/investors/${id}/share-purchases`,
      `/v1/investors/${id}/holdings`,
    ]),
    ...provisions
      .filter(isOwn)
      .map(({ body }) => `/v1/investors?partner_customer_ref=${body.partner_customer_ref}`),
    ...orders.filter(isOwn).map(({ path, answer }) => `${path}/${answer.share_purchase_id}`),
  ]
}
