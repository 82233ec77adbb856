import { join } from 'node:path'
import type { Contestant } from '../contestant.ts'
import { cpuFloor, rateFloor } from '../floors.ts'
import { startPeer } from '../peer.ts'
import { startCoopshare } from '../service.ts'
import { credentials } from '../set-up.ts'
import type { Bench, Measured } from '../work.ts'

const work = 'token'
const connections = 16
const [providerPeer, signaturePeer] = ['oidc-provider', 'RSA-2048 signature']

export async function measureToken(bench: Bench): Promise<Measured> {
  const directory = join(bench.directory, 'token')
  const { client_id, client_secret } = credentials
  const service = bench.stopAtEnd(await startCoopshare({ directory, setUp: {} }))
  const provider = bench.stopAtEnd(await startPeer('oidc-provider', client_id, client_secret))
  const signer = bench.stopAtEnd(await startPeer('signatures'))
  const contestants = [
    tokenContestant(service.name, `${service.origin}/oauth2/token`, service.pid),
    tokenContestant(providerPeer, `${provider.said}/token`, provider.pid),
    tokenContestant(signaturePeer, signer.said, signer.pid),
  ]
  const results = await bench.run({ work, connections, contestants })
  return {
    results,
    floors: [
      rateFloor(results, { work, names: [service.name, providerPeer] }, 1.3),
      cpuFloor(results, { work, names: [service.name, signaturePeer] }, 1.3),
    ],
  }
}

export function tokenContestant(name: string, url: string, pid: number): Contestant {
  const { origin, pathname } = new URL(url)
  const form = { grant_type: 'client_credentials', scope: 'cooperatives:read', ...credentials }
  const body = new URLSearchParams(form).toString()
  // Every JWT begins with `eyJ`, because its header begins with `{"`.
  const contains = [
    '"token_type":"Bearer"',
    name === signaturePeer ? '"access_token":"' : '"access_token":"eyJ',
  ]
  return {
    name,
    roots: [pid],
    load: {
      ...{ origin, method: 'POST', paths: [pathname], body },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      expected: { status: 200, contains },
    },
  }
}
