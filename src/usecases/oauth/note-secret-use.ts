import type { ClientSecret } from '../../domain/oauth/client.ts'
import { addSeconds, type Timestamp } from '../../domain/timestamp.ts'
import type { Service } from '../service.ts'

export interface SecretUse {
  readonly clientId: string
  readonly secret: ClientSecret
}

const notedEverySeconds = 60

/** Nobody waits for the note, and nobody hears that it failed: a token is worth more than knowing when it was asked for. */
export function noteSecretUse(service: Service, { clientId, secret }: SecretUse): void {
  const at = service.clock.now()
  if (!isDue(secret, at)) return
  note(service, { clientId, secretId: secret.secretId, at }).catch(() => undefined)
}

function isDue({ lastUsedAt }: ClientSecret, at: Timestamp): boolean {
  return lastUsedAt === null || addSeconds(lastUsedAt, notedEverySeconds) <= at
}

async function note(
  { store }: Service,
  { clientId, secretId, at }: { clientId: string; secretId: string; at: Timestamp },
): Promise<void> {
  await store.write(clientId, async ({ clients }) => {
    const client = await clients.get(clientId)
    const isNoted = (secret: ClientSecret) => secret.secretId === secretId && isDue(secret, at)
    if (!client?.secrets.some(isNoted)) return
    const secrets = client.secrets.map((secret) =>
      isNoted(secret) ? { ...secret, lastUsedAt: at } : secret,
    )
    await clients.put({ ...client, secrets })
  })
}
