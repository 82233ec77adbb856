import type { ProblemCode } from '../domain/problem-code.ts'
import { either, type JsonSchema, list, refer } from '../wire/json-schema.ts'
import type { OperationName } from './operations.ts'

/** Documentation of an operation besides the shape of its input. */
interface OperationManual {
  readonly summary: string
  readonly note?: string
  /** The schema of its answer; refers to `operationObjects`. */
  readonly answer: JsonSchema
  /** Refusals beyond those that every operation can answer. */
  readonly problems: readonly ProblemCode[]
}

type Further = Pick<OperationManual, 'note'>

function answers(
  answer: JsonSchema,
  summary: string,
  problems: readonly ProblemCode[] = [],
  further: Further = {},
): OperationManual {
  return { summary, answer, problems, ...further }
}

const one = (name: string) => refer(name)
const many = (name: string) => list(refer(name))

const organizationNeeded = ['ORGANIZATION_NOT_FOUND'] as const
const clientNeeded = ['CLIENT_NOT_FOUND'] as const
const cooperativeNeeded = ['COOPERATIVE_NOT_FOUND'] as const
const investorNeeded = ['INVESTOR_NOT_FOUND'] as const
const purchaseNeeded = ['SHARE_PURCHASE_NOT_FOUND'] as const
const selectionNeeded = [
  ...organizationNeeded,
  ...[...cooperativeNeeded, ...purchaseNeeded, ...investorNeeded],
] as const
const cooperative = one('Cooperative')
const cooperativeRow = one('Cooperative row')
const operator = one('Operator')
const organization = one('Organization')
const purchaseRow = one('Share purchase row')

const decision = ['SHARE_PURCHASE_NOT_FOUND', 'SHARE_PURCHASE_ILLEGAL_STATE'] as const
const endpointNeeded = ['WEBHOOK_ENDPOINT_NOT_FOUND'] as const
const operatorNeeded = ['OPERATOR_NOT_FOUND'] as const

const tokenShownOnce = { note: 'The token is shown only in this answer.' }
const shownOnce = { note: 'The secret is shown only in this answer.' }

/** An operation without an entry does not compile. */
export const operationManual: Readonly<Record<OperationName, OperationManual>> = {
  'operator.create': answers(
    one('New operator token'),
    'Create an operator with a token.',
    ['NAME_TAKEN'],
    tokenShownOnce,
  ),
  'operator.list': answers(many('Operator'), 'List operators.'),
  'operator.rotate_token': answers(
    one('New operator token'),
    'Replace the token of an operator. The previous token is refused immediately.',
    operatorNeeded,
    tokenShownOnce,
  ),
  'operator.set_role': answers(operator, 'Change the role of an operator.', operatorNeeded),
  'operator.disable': answers(
    operator,
    'Disable an operator: the token is refused.',
    operatorNeeded,
  ),
  'operator.enable': answers(
    operator,
    'Enable a disabled operator: the token is accepted again.',
    operatorNeeded,
  ),
  'organization.create': answers(organization, 'Create a partner organization.', ['NAME_TAKEN']),
  'organization.list': answers(many('Organization'), 'List partner organizations.'),
  'organization.show': answers(organization, 'Show a partner organization.', organizationNeeded),
  'organization.update': answers(
    organization,
    'Change the settings of a partner organization.',
    organizationNeeded,
  ),
  'organization.rename': answers(organization, 'Rename a partner organization.', [
    'ORGANIZATION_NOT_FOUND',
    'NAME_TAKEN',
  ]),
  'organization.disable': answers(
    organization,
    'Disable a partner organization: its tokens are refused, and its webhooks wait.',
    organizationNeeded,
  ),
  'organization.enable': answers(
    organization,
    'Enable a disabled partner organization.',
    organizationNeeded,
  ),
  'organization.delete': answers(
    one('Deleted organization'),
    'Delete a partner organization that has no investors, and its clients and webhook endpoints.',
    ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_NOT_EMPTY'],
  ),
  'client.create': answers(
    one('New client secret'),
    'Create an OAuth client of an organization.',
    organizationNeeded,
    shownOnce,
  ),
  'client.list': answers(many('Listed client'), 'List OAuth clients.', organizationNeeded),
  'client.show': answers(
    one('Client with secrets'),
    'Show a client with the age and last use of its secrets.',
    clientNeeded,
  ),
  'client.set_scopes': answers(
    one('Client'),
    'Replace the scopes of a client. The client keeps its id and secrets.',
    clientNeeded,
  ),
  'client.rotate_secret': answers(
    one('New client secret'),
    'Add a second secret to a client.',
    ['CLIENT_NOT_FOUND', 'SECRET_LIMIT_REACHED'],
    shownOnce,
  ),
  'client.revoke_secret': answers(
    one('Client with secrets'),
    'Revoke one of the two active secrets of a client.',
    ['CLIENT_NOT_FOUND', 'CLIENT_SECRET_NOT_FOUND', 'LAST_SECRET'],
  ),
  'client.disable': answers(
    one('Client'),
    'Disable a client: its tokens are refused and it gets no new ones.',
    clientNeeded,
  ),
  'client.enable': answers(one('Client'), 'Enable a disabled client.', clientNeeded),
  'token.issue': answers(one('Access token'), 'Issue an access token of a client, for tests.', [
    'CLIENT_NOT_FOUND',
    'CLIENT_DISABLED',
  ]),
  'key.list': answers(many('Signing key'), 'List the signing keys of access tokens, oldest first.'),
  'key.rotate': answers(
    one('Signing key'),
    'Create a signing key. The service uses the key once partners have had time to fetch it.',
  ),
  'key.revoke': answers(
    one('Revoked key'),
    'Revoke a signing key: its access tokens are refused immediately.',
    ['SIGNING_KEY_NOT_FOUND'],
  ),
  'cooperative.import': answers(
    one('Imported cooperatives'),
    'Create and update cooperatives.',
    ['NAME_TAKEN'],
    { note: 'The service recognizes a cooperative by its `key`.' },
  ),
  'cooperative.export': answers(
    many('Cooperative definition'),
    'Export all cooperatives in the form that an import accepts.',
    [],
    { note: 'The answer contains images as base64, unless `images` is false.' },
  ),
  'cooperative.create': answers(cooperative, 'Create a cooperative.', ['NAME_TAKEN']),
  'cooperative.update': answers(cooperative, 'Change fields of a cooperative.', cooperativeNeeded, {
    note: 'Fields that you leave out do not change; null removes the value of a field.',
  }),
  'cooperative.price_history': answers(
    many('Price change'),
    'List the changes of the price of a share, newest first.',
    cooperativeNeeded,
  ),
  'cooperative.list': answers(
    many('Cooperative row'),
    'List all cooperatives, including unpublished ones.',
  ),
  'cooperative.show': answers(
    cooperative,
    'Show a cooperative with its projects.',
    cooperativeNeeded,
  ),
  'cooperative.publish': answers(
    cooperativeRow,
    'Make a cooperative visible to partners.',
    cooperativeNeeded,
  ),
  'cooperative.unpublish': answers(
    cooperativeRow,
    'Hide a cooperative from partners, but keep its orders and holdings.',
    cooperativeNeeded,
  ),
  'cooperative.set_price': answers(
    cooperativeRow,
    'Set the price of a share. Existing orders keep their price.',
    cooperativeNeeded,
  ),
  'purchase.list': answers(
    many('Listed share purchase'),
    'List share purchases; oldest first without `sort`.',
    selectionNeeded,
    {
      note: 'With `settled_since` or `settled_until` and another filter, the service reads all orders that were settled in that time.',
    },
  ),
  'purchase.preview': answers(
    one('Share purchase preview'),
    'Count share purchases and sum their amounts before a decision.',
    selectionNeeded,
  ),
  'purchase.show': answers(
    one('Share purchase'),
    'Show a share purchase with its history.',
    purchaseNeeded,
  ),
  'purchase.approve': answers(purchaseRow, 'Approve a submitted share purchase.', decision),
  'purchase.settle': answers(
    purchaseRow,
    'Settle an approved share purchase: its shares become a holding.',
    decision,
  ),
  'purchase.cancel': answers(
    purchaseRow,
    'Cancel a share purchase that is not approved yet.',
    decision,
  ),
  'purchase.confirm': answers(
    purchaseRow,
    'Confirm the decision that another operator has proposed.',
    decision,
  ),
  'purchase.reject': answers(
    purchaseRow,
    'Reject a share purchase that is submitted or approved.',
    decision,
  ),
  find: answers(
    one('Found persons'),
    'Find persons with their orders by name, e-mail address, IBAN, reference or id.',
    [],
    {
      note: 'The answer contains personal data. The first 6 characters of an id are enough. Names, addresses and references must match in full.',
    },
  ),
  'investor.list': answers(many('Person'), 'List investors, newest first.', organizationNeeded, {
    note: 'The answer contains personal data.',
  }),
  'investor.show': answers(
    one('Investor'),
    'Show an investor with holdings and the newest orders.',
    investorNeeded,
    { note: 'The answer contains personal data.' },
  ),
  'investor.export': answers(
    one('Exported investor'),
    'Export everything that the store has about a person.',
    [...investorNeeded, 'STORE_DAMAGED'],
    { note: 'The answer contains personal data, bank accounts included.' },
  ),
  'investor.erase': answers(
    one('Erased investor'),
    'Erase the personal data of an investor, but keep orders and holdings.',
    ['INVESTOR_NOT_FOUND', 'INVESTOR_HAS_OPEN_ORDERS'],
    { note: 'You cannot undo this. From then on, partners get a 404, as for an unknown investor.' },
  ),
  'webhook.register': answers(
    one('New webhook endpoint'),
    'Register a webhook endpoint of a partner organization.',
    ['ORGANIZATION_NOT_FOUND', 'ENDPOINT_LIMIT_REACHED', 'WEBHOOK_URL_REFUSED'],
    shownOnce,
  ),
  'webhook.list': answers(
    many('Listed webhook endpoint'),
    'List webhook endpoints, oldest first.',
    organizationNeeded,
  ),
  'webhook.rotate_secret': answers(
    one('New webhook endpoint'),
    'Replace the signing secret of a webhook endpoint.',
    endpointNeeded,
    shownOnce,
  ),
  'webhook.pause': answers(
    one('Webhook endpoint'),
    'Pause a webhook endpoint: its deliveries wait and use up no attempts.',
    endpointNeeded,
  ),
  'webhook.resume': answers(
    one('Webhook endpoint'),
    'Resume a paused webhook endpoint and send its waiting deliveries in order.',
    endpointNeeded,
  ),
  'webhook.remove': answers(
    one('Removed webhook endpoint'),
    'Remove a webhook endpoint, whose pending deliveries become dead.',
    endpointNeeded,
  ),
  'webhook.test': answers(
    one('Test event'),
    'Send one signed event of type webhook.test to a webhook endpoint.',
    endpointNeeded,
  ),
  'webhook.doctor': answers(
    one('Webhook report'),
    'Find out why a webhook endpoint receives no events.',
    endpointNeeded,
  ),
  'event.list': answers(
    many('Event'),
    'List events; oldest first without `sort`.',
    organizationNeeded,
  ),
  'event.show': answers(
    one('Event with deliveries'),
    'Show an event with its payload and all delivery attempts.',
    ['EVENT_NOT_FOUND'],
  ),
  'event.count': answers(
    one('Event counts'),
    'Count events by the state of their deliveries to webhook endpoints.',
    organizationNeeded,
  ),
  'event.send_now': answers(
    one('Event with deliveries'),
    'Send the pending deliveries of an event immediately. Earlier events of the order still go first.',
    ['EVENT_NOT_FOUND', 'EVENT_NOT_PENDING'],
  ),
  'event.replay': answers(
    many('Replayed event'),
    'Send events again, selected by id or by filter.',
    ['EVENT_NOT_FOUND', 'ORGANIZATION_NOT_FOUND'],
  ),
  'event.purge': answers(
    one('Purged events'),
    'Remove old events and their deliveries.',
    organizationNeeded,
  ),
  'event.follow': answers(
    many('Followed event'),
    'Read the events of an organization, oldest first, after the last event that you have seen.',
    ['ORGANIZATION_NOT_FOUND', 'EVENT_NOT_FOUND'],
  ),
  'event.follow_from_now': answers(
    one('Start of following'),
    'Get the time from which to follow the events of an organization.',
    organizationNeeded,
  ),
  'fixtures.apply': answers(
    one('Applied fixtures'),
    'Create and update everything that a fixture file describes. Safe to run repeatedly.',
    [
      'COOPERATIVE_NOT_FOUND',
      'ENDPOINT_LIMIT_REACHED',
      'INVESTOR_PROFILE_INCOMPLETE',
      'MANAGED_INVESTOR_PROFILE_CONFLICT',
      'NAME_TAKEN',
      'PURCHASE_DEFAULTS_UNAVAILABLE',
      'REPRESENTATION_CONSENT_REQUIRES_COMPANY',
      'SECRET_LIMIT_REACHED',
      'SHARE_PURCHASE_ILLEGAL_STATE',
      'TESTING_AID_IN_PRODUCTION',
      'WEBHOOK_URL_REFUSED',
    ],
    { note: 'The service applies either everything or nothing. Images are base64 in the input.' },
  ),
  'fixtures.export': answers(
    list(
      either(
        refer('Exported organization'),
        refer('Exported investors'),
        refer('Exported cooperative'),
      ),
    ),
    'Export the store as parts of a fixture file.',
    [],
    { note: 'The answer contains personal data. Each organization comes before its investors.' },
  ),
  'audit.list': answers(many('Audit entry'), 'List the entries of the audit, newest first.', [
    'OPERATOR_NOT_FOUND',
  ]),
  'audit.export': answers(many('Audit entry'), 'Export the whole audit in the order of its chain.'),
  'audit.verify': answers(one('Audit verification'), 'Verify the chain of the audit.', [], {
    note: 'Send an earlier answer as `anchor` to find out whether the chain has been truncated since that answer.',
  }),
  'store.check': answers(
    one('Store check'),
    'Check the whole store: its checksums, references and encrypted values.',
  ),
  'store.rekey': answers(
    one('Rekeyed store'),
    'Replace the encryption key of the store while the service runs.',
    ['ENCRYPTION_KEY_REFUSED'],
    {
      note: 'Afterwards the previous key decrypts nothing. If the operation is interrupted, the next call finishes it.',
    },
  ),
  'store.compact': answers(one('Compacted store'), 'Compact the files of the store.', [
    'NOT_FOR_DATABASES',
  ]),
}
