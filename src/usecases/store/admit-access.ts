import type { OwnAction } from '../../domain/audit/audit-entry.ts'
import {
  isPublished,
  isRevoked,
  revokeKey,
  type SigningKey,
  type SigningKeyState,
  signingKeyState,
} from '../../domain/oauth/signing-key.ts'
import { localAdministrator, type OperatorRole } from '../../domain/operators/operator.ts'
import { Problem } from '../../domain/problem.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import type { OfflineChange } from '../../ports/store-admin.ts'
import type { Vault } from '../../ports/vault.ts'
import {
  type AuditContext,
  auditTrailOf,
  operatorActor,
  recordAttempt,
} from '../audit/record-audit.ts'
import { createSigningKey, generateKeyPair } from '../oauth/signing-keys.ts'
import type { Service } from '../service.ts'

interface AdmittedKey {
  readonly kid: string
  readonly state: SigningKeyState
  readonly changedAt: Timestamp
}

/** Who has access to a store, with the time of the last change of each. */
export interface StoreAccess {
  readonly signingKeys: readonly AdmittedKey[]
  /** Clients that can get tokens. */
  readonly clients: readonly {
    readonly clientId: string
    readonly name: string | null
    readonly organization: string
    readonly changedAt: Timestamp
  }[]
  readonly operators: readonly {
    readonly operatorId: string
    readonly name: string
    readonly role: OperatorRole
    readonly changedAt: Timestamp
  }[]
}

type Ports = Pick<Service, 'clock' | 'random'>

/** Brings an old state of a store back into use, and so access that somebody may have lost since. */
export interface Return {
  readonly operation: Extract<OwnAction, 'store.restore' | 'store.reopen' | 'store.salvage'>
  /** Whether tokens of all stored signing keys are refused from now on. */
  readonly retiresKeys?: boolean | undefined
}

/** The audit has an entry, in the same write. The work returns who has access. */
export async function admitAccess(
  ports: Ports,
  { operation, retiresKeys = false }: Return,
): Promise<OfflineChange<StoreAccess>> {
  const acting: AuditContext = {
    actor: operatorActor(localAdministrator),
    via: 'command',
    operation,
    requestId: null,
  }
  const pair = retiresKeys ? await generateKeyPair() : undefined
  return {
    trail: auditTrailOf(ports, acting),
    async work(records, vault) {
      const now = ports.clock.now()
      const before = await records.signingKeys.list()
      const access = await readAccess(records)
      if (pair) {
        const fresh = createSigningKey({ ...ports, vault: requireVault(vault) }, pair)
        for (const key of before) {
          if (!isRevoked(key)) await records.signingKeys.put(revokeKey(key))
        }
        await records.signingKeys.put(fresh)
      } else {
        await recordAttempt(records, ports, acting, { subjects: {}, outcome: 'done' })
      }
      return { ...access, signingKeys: describeKeys(before, await records.signingKeys.list(), now) }
    },
  }
}

function requireVault(vault: Vault | undefined): Vault {
  if (vault) return vault
  throw new Problem(
    'ENCRYPTION_KEY_REFUSED',
    'New signing keys need the key of the store, which the backup does not contain. Give the key with --encryption-key-file or COOPSHARE_ENCRYPTION_KEY, or restore without --retire-keys. Nothing was written.',
  )
}

async function readAccess({
  clients,
  organizations,
  operators,
}: ReadableRecords): Promise<Omit<StoreAccess, 'signingKeys'>> {
  const [allClients, partners, people] = await Promise.all([
    clients.list(),
    organizations.list(),
    operators.list(),
  ])
  const enabled = new Map(
    partners.flatMap((one) => (one.disabled ? [] : [[one.organizationId, one.name] as const])),
  )
  return {
    clients: allClients.flatMap(({ clientId, name, organizationId, disabled, updatedAt }) => {
      const organization = enabled.get(organizationId)
      if (disabled || organization === undefined) return []
      return [{ clientId, name, organization, changedAt: updatedAt }]
    }),
    operators: people
      .filter(({ state }) => state === 'active')
      .map(({ operatorId, name, role, updatedAt }) => ({
        operatorId,
        name,
        role,
        changedAt: updatedAt,
      })),
  }
}

/** The keys that were accepted before or are accepted now, with their state now. */
function describeKeys(
  before: readonly SigningKey[],
  after: readonly SigningKey[],
  now: Timestamp,
): readonly AdmittedKey[] {
  const accepted = [...before, ...after].filter((key) => isPublished(key, now))
  const kids = new Set(accepted.map(({ kid }) => kid))
  return after
    .filter(({ kid }) => kids.has(kid))
    .map((key) => ({
      kid: key.kid,
      state: signingKeyState(key, after, now),
      changedAt: changedAtOf(key, before),
    }))
}

/** A key changes last when its successor is created. */
function changedAtOf({ createdAt }: SigningKey, keys: readonly SigningKey[]): Timestamp {
  const later = keys.map((key) => key.createdAt).filter((at) => at > createdAt)
  return later.sort()[0] ?? createdAt
}
