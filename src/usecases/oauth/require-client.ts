import type { Client } from '../../domain/oauth/client.ts'
import { Problem } from '../../domain/problem.ts'
import type { ReadableRecords } from '../../ports/store.ts'

export async function requireClient(
  { clients }: Pick<ReadableRecords, 'clients'>,
  clientId: string,
): Promise<Client> {
  const client = await clients.get(clientId.toLowerCase())
  if (client) return client
  throw new Problem(
    'CLIENT_NOT_FOUND',
    `There is no client "${clientId}". \`coopshare client list\` shows which there are.`,
  )
}
