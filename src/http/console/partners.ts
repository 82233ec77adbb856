import { scopes } from '../../domain/oauth/scope.ts'
import { maximumCounted } from '../../domain/page.ts'
import { webhookEventTypes } from '../../domain/webhooks/event.ts'
import type { Output } from '../../operations/operations.ts'
import { type Action, button, command, isProduction, mayRun } from './actions.ts'
import { foreign, type Html, html } from './html.ts'
import { messageIn } from './messages.ts'
import {
  copyable,
  counted,
  emptyList,
  emptyPage,
  eventTypeIn,
  facts,
  linkTo,
  options,
  type Page,
  pageOf,
  percentIn,
  state,
  table,
  time,
  type Visit,
} from './page.ts'
import type { TextName } from './texts.ts'

type Organization = Output<'organization.show'>
type Client = Output<'client.show'>
type Secret = Client['secrets'][number]
type Endpoint = Output<'webhook.list'>[number]

export async function listPartners(visit: Visit): Promise<Page> {
  const { say } = visit
  const { shown, pages } = pageOf(visit, await visit.service.call('organization.list', {}))
  const body = html`${table(
    say,
    say('partners'),
    shown,
    [
      { head: 'name', cell: (row) => linkTo.partner(row.organization_id, row.name) },
      { head: 'investor_mail', cell: (row) => say(row.investor_mail ? 'yes' : 'no') },
      ...(isProduction(visit.settings)
        ? []
        : [
            {
              head: 'self_service' as const,
              cell: (row: Organization) => say(row.self_service ? 'yes' : 'no'),
            },
          ]),
      { head: 'state', cell: (row) => state(visit, row.disabled ? 'disabled' : 'active') },
      { head: 'created', cell: (row) => time(row.created_at) },
      { head: 'id', cell: (row) => html`<code>${row.organization_id}</code>` },
    ],
    emptyPage(visit, 'empty.partners'),
  )}${pages}
<h2>${say('organization.create')}</h2>
${button(visit, {
  operation: 'organization.create',
  label: 'create',
  fields: html`<label>${say('name')}<input name="input.name" required maxlength="200"></label>`,
  words: ['NAME'],
})}`
  return { title: say('partners'), section: 'partners', commands: 'organization list --json', body }
}

export async function showPartner(visit: Visit, organization: string): Promise<Page> {
  const { say } = visit
  const [shown, clients, endpoints, counts] = await Promise.all([
    visit.service.call('organization.show', { organization }),
    visit.service.call('client.list', { organization }),
    visit.service.call('webhook.list', { organization }),
    visit.service.call('event.count', { organization, limit: maximumCounted }),
  ])
  const listed = pageOf(visit, clients)
  const whole = await Promise.all(
    listed.shown.map(({ client_id }) => visit.service.call('client.show', { client_id })),
  )
  const rows = await Promise.all(
    endpoints.map(async (endpoint) => ({
      endpoint,
      health: await visit.service.reads.pendingOf(endpoint.webhook_endpoint_id, mostPending),
    })),
  )
  const id = shown.organization_id
  const body = html`<div class="behind">${facts([
    [say('id'), copyable(visit, id)],
    [say('investor_mail'), say(shown.investor_mail ? 'yes' : 'no')],
    [
      say('self_service'),
      isProduction(visit.settings) ? undefined : say(shown.self_service ? 'yes' : 'no'),
    ],
    [say('created'), time(shown.created_at)],
    [say('state'), state(visit, shown.disabled ? 'disabled' : 'active')],
    [say('orders'), html`<a href="/orders?organization=${id}">${say('show')}</a>`],
    [
      say('deadDeliveries'),
      html`<a href="/events?state=dead&amp;organization=${id}">${counted(counts.dead, visit)}</a>`,
    ],
  ])}
<h2>${say('clients')}</h2>${mayRun(visit, 'client.rotate_secret') && whole.length > 0 && guide(say, 'rotateGuide', 'leakGuide')}
${whole.map((client) => renderClient(visit, client))}${listed.pages}
${whole.length === 0 && emptyList(visit, 'empty.clients')}
${mayRun(visit, 'client.create') && renderNewClient(visit, id)}
<h2>${say('endpoints')}</h2>${mayRun(visit, 'webhook.rotate_secret') && rows.length > 0 && guide(say, 'overlapGuide', 'signingLeakGuide')}
${rows.map(({ endpoint, health }) => renderEndpoint(visit, endpoint, health))}
${rows.length === 0 && emptyList(visit, 'empty.endpoints')}
${mayRun(visit, 'webhook.register') && renderNewEndpoint(visit, id)}
${mayRun(visit, 'organization.update') && html`<h2>${say('organization.update')}</h2><div class="actions">${renderSettings(visit, shown)}</div>`}</div>`
  const commands = [
    command('organization', 'show', id, '--json'),
    ...['client', 'webhook'].map((noun) => command(noun, 'list', '--organization', id, '--json')),
  ]
  return { title: shown.name, section: 'partners', commands, body }
}

function codes(names: readonly string[]): Html {
  return html`${names.map((name) => html`<code>${name}</code> `)}`
}

/** What to do before a secret is changed: planned, and after a leak. */
function guide(say: Visit['say'], planned: TextName, leaked: TextName): Html {
  return html`<ul class="soft guide"><li>${say(planned)}</li><li>${say(leaked)}</li></ul>`
}

function renderSettings(visit: Visit, shown: Organization): Html {
  const { say, settings } = visit
  const { organization_id: organization, investor_mail, self_service } = shown
  // The address of the page may contain the name, which changes.
  const back = `/partners/${organization}`
  const part = { input: { organization }, words: [organization], back }
  const toggle: Action = shown.disabled
    ? { ...part, operation: 'organization.enable' }
    : { ...part, operation: 'organization.disable', tone: 'danger' }
  const isOn = !shown.disabled
  const rename: Action = {
    ...part,
    operation: 'organization.rename',
    tone: 'quiet',
    fields: html`<label>${say('name')}<input name="input.name" required maxlength="200" value="${shown.name}"></label>`,
    words: [organization, 'NAME'],
  }
  const remove: Action = {
    ...part,
    operation: 'organization.delete',
    tone: 'danger',
    back: '/partners',
  }
  const setting = (name: 'investor_mail' | 'self_service', isOn: boolean) =>
    button(visit, {
      operation: 'organization.update',
      label: isOn ? 'turnOff' : 'turnOn',
      tone: 'quiet',
      input: { organization, [name]: !isOn },
      words: [organization, `--${isOn ? 'no-' : ''}${name.replace('_', '-')}`],
      back,
    })
  return html`${button(visit, rename)}
<div>${say('investor_mail')} ${setting('investor_mail', investor_mail)}</div>
${!isProduction(settings) && html`<div>${say('self_service')} ${setting('self_service', self_service)}</div>`}
${!isOn && button(visit, toggle)}
${dangers(visit, isOn && button(visit, toggle), button(visit, remove))}`
}

function renderClient(visit: Visit, client: Client): Html {
  const { say } = visit
  const { client_id, disabled, secrets } = client
  const part = { input: { client_id }, words: [client_id] }
  const toggle: Action = disabled
    ? { ...part, operation: 'client.enable' }
    : { ...part, operation: 'client.disable', tone: 'danger' }
  const rotate: Action = { ...part, operation: 'client.rotate_secret', tone: 'danger' }
  const token: Action = { ...part, operation: 'token.issue', tone: 'quiet' }
  const isOlder = ({ created_at: at }: Secret) => secrets.some((each) => each.created_at > at)
  const revoke = ({ secret_id }: Secret) =>
    button(visit, {
      operation: 'client.revoke_secret',
      label: { text: say('revokeOne', { secret: secret_id }) },
      tone: 'danger',
      input: { client_id, secret_id },
      words: [client_id, secret_id],
    })
  return html`<h3>${foreign(client.name ?? client_id)} ${disabled ? state(visit, 'disabled') : ''}</h3>
${facts([
  [say('client'), copyable(visit, client_id)],
  [say('scopes'), codes(client.granted_scopes)],
])}
${table(say, say('secrets'), secrets, [
  {
    head: 'secret',
    cell: (secret) => html`<code>${secret.secret_id}</code> ${isOlder(secret) && say('older')}`,
  },
  { head: 'age', cell: (secret) => time(secret.created_at) },
  {
    head: 'lastUse',
    cell: ({ last_used_at: at }) => (at === null ? say('never') : time(at)),
  },
])}
${renderScopes(visit, client)}
${secrets.length > 1 && html`<p class="soft">${say('twoSecrets')}</p>`}
<div class="actions">${disabled ? button(visit, toggle) : button(visit, token)}
${dangers(visit, secrets.length < 2 && button(visit, rotate), ...(secrets.length > 1 ? secrets.map(revoke) : []), !disabled && button(visit, toggle))}</div>`
}

/** What somebody should not press by mistake. Without a script, the menu opens and closes as well. */
function dangers({ say }: Visit, ...buttons: readonly (Html | false)[]): Html {
  const shown = buttons.filter((each) => each && each.text !== '')
  if (shown.length === 0) return html``
  return html`<details class="actions-menu"><summary>${say('dangerous')}</summary><div class="panel">${shown}</div></details>`
}

function renderScopes(visit: Visit, { client_id, granted_scopes }: Client): Html {
  if (!mayRun(visit, 'client.set_scopes')) return html``
  const form = button(visit, {
    operation: 'client.set_scopes',
    label: 'save',
    input: { client_id },
    fields: scopeBoxes(visit, granted_scopes),
    words: [client_id, '--scope', 'SCOPE'],
  })
  return html`<details><summary>${visit.say('client.set_scopes')}</summary><p class="soft">${visit.say('scopesHint')}</p>${form}</details>`
}

function scopeBoxes({ say }: Visit, chosen: readonly string[]): Html {
  const boxes = scopes.map(
    (scope) =>
      html`<label class="check"><input type="checkbox" name="input.scopes" value="${scope}"${chosen.includes(scope) && html` checked`}><code>${scope}</code></label>`,
  )
  return html`<fieldset><legend>${say('scopes')}</legend>${boxes}</fieldset>`
}

function renderNewClient(visit: Visit, organization: string): Html {
  const { say } = visit
  const fields = html`<label>${say('name')}<input name="input.name" maxlength="200"></label>
${scopeBoxes(visit, scopes)}`
  const form = button(visit, {
    operation: 'client.create',
    label: 'create',
    input: { organization },
    fields,
    words: ['--organization', organization, '--name', 'NAME', '--scope', 'SCOPE'],
  })
  return html`<details><summary>${say('client.create')}</summary>${form}</details>`
}

/** The number of pending deliveries at which a page stops counting. */
const mostPending = 100

type Health = Awaited<ReturnType<Visit['service']['reads']['pendingOf']>>

/** How many of the deliveries to an endpoint arrived in the last 24 hours. */
export function successOf(
  visit: Visit,
  { delivered_24h: delivered, failed_24h: failed, success_percent_24h: percent }: Endpoint,
): Html {
  const { say, language } = visit
  if (percent === null) return html`<span class="soft">${say('noAttempts')}</span>`
  const [some, all] = [delivered, delivered + failed].map((count) =>
    new Intl.NumberFormat(language).format(count),
  )
  const text = say('successOf', {
    percent: percentIn(visit, percent),
    delivered: some ?? '',
    all: all ?? '',
  })
  return html`<span class="${percent === 100 ? 'good' : percent < 90 ? 'bad' : 'warn'}">${text}</span>`
}

function renderEndpoint(visit: Visit, endpoint: Endpoint, { pending, failure }: Health): Html {
  const { say, service } = visit
  const { webhook_endpoint_id: id, paused_at: pausedAt } = endpoint
  const { previous_secret_until: previous } = endpoint
  const isWell = pending === 0 && pausedAt === null
  const health = isWell
    ? say('nothingWaits')
    : html`${state(visit, pausedAt === null ? 'pending' : 'paused')} ${pending}${pending === mostPending && '+'}${failure && html` · <span class="bad">${messageIn(visit, failure)}</span>`}`
  return html`<h3>${foreign(endpoint.url)}</h3>
${facts([
  [say('id'), copyable(visit, id)],
  [say('health'), health],
  [say('success24h'), successOf(visit, endpoint)],
  [say('type'), endpoint.types ? codes(endpoint.types) : say('all')],
  [say('created'), time(endpoint.created_at)],
  [
    say('previousSecret'),
    previous !== null && previous > service.clock.now() ? time(previous) : undefined,
  ],
  [say('certify'), copyable(visit, `coopshare ${command('webhook', 'certify', endpoint.url)}`)],
])}
<div class="actions">${renderEndpointActions(visit, id, pausedAt !== null)}</div>`
}

function renderEndpointActions(visit: Visit, id: string, isPaused: boolean): Html {
  const part = { input: { webhook_endpoint_id: id }, words: [id] }
  const toggle = isPaused ? 'webhook.resume' : 'webhook.pause'
  return html`
${button(visit, { ...part, operation: 'webhook.doctor' })}
${button(visit, { ...part, operation: 'webhook.test', tone: 'quiet' })}
${button(visit, { ...part, operation: toggle, tone: 'quiet' })}
${dangers(
  visit,
  button(visit, {
    ...part,
    operation: 'webhook.rotate_secret',
    tone: 'danger',
    fields: overlapField(visit),
    words: [id, '--overlap', 'TIME'],
  }),
  button(visit, { ...part, operation: 'webhook.remove', tone: 'danger' }),
)}`
}

/** The choices of `--overlap`, in hours. */
const overlaps = [1, 24, 7 * 24] as const

function overlapField({ say }: Visit): Html {
  const choices = overlaps.map(
    (hours) =>
      [
        `${hours}h`,
        hours > 24 ? say('days', { count: hours / 24 }) : say('hours', { count: hours }),
      ] as const,
  )
  return html`<label>${say('overlap')}<select name="input.overlap">${options([['', say('noOverlap')], ...choices], '')}</select></label>`
}

function renderNewEndpoint(visit: Visit, organization: string): Html {
  const { say } = visit
  const types = webhookEventTypes.map(
    (type) =>
      html`<label class="check"><input type="checkbox" name="input.types" value="${type}">${eventTypeIn(visit, type)}</label>`,
  )
  const form = button(visit, {
    operation: 'webhook.register',
    label: 'register',
    input: { organization },
    fields: html`<label>${say('address')}<input name="input.url" type="url" required size="40"></label>
<fieldset><legend>${say('typesHint')}</legend>${types}</fieldset>`,
    words: ['--organization', organization, '--type', 'TYPE', 'URL'],
  })
  return html`<details><summary>${say('webhook.register')}</summary>${form}</details>`
}
