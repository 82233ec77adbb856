// An access token for client credentials: a JWT with an RSA-2048 signature.
import type { Bench, Contestant } from '../bench.ts'
import { startPeer } from '../servers/peer.ts'
import { startOnEngines } from '../servers/service.ts'
import { credentials } from '../servers/set-up.ts'

export async function measure(bench: Bench): Promise<void> {
  const { ours, beside } = await startOnEngines(bench, { setUp: {} }, ['directory'])
  const { client_id, client_secret } = credentials
  const { pid, said } = await startPeer(bench, 'oidc-provider', client_id, client_secret)
  await bench.run({
    work: 'token',
    connections: 16,
    ours: ours.map((service) => granting(service, '/oauth2/token')),
    others: [
      ...beside.map((service) => granting(service, '/oauth2/token')),
      granting({ name: 'oidc-provider', origin: said, roots: [pid] }, '/token'),
    ],
  })
}

function granting(
  { name, origin, roots }: Omit<Contestant, 'load'> & { readonly origin: string },
  path: string,
): Contestant {
  const form = { grant_type: 'client_credentials', scope: 'cooperatives:read', ...credentials }
  return {
    name,
    roots,
    load: {
      origin,
      method: 'POST',
      paths: [path],
      body: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      // Every JWT begins with `eyJ`, because its header begins with `{"`.
      expected: { status: 200, contains: ['"token_type":"Bearer"', '"access_token":"eyJ'] },
    },
  }
}
