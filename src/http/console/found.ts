// The search: suggestions while somebody types, and a page with everything that is found.
import { HTTPResponse } from 'h3'
import { personName } from '../../domain/investors/profile.ts'
import type { Output } from '../../operations/operations.ts'
import { command, type Form } from './actions.ts'
import { foreign, type Html, html, type Part, pathTo } from './html.ts'
import { looksLikeIban, nameOf, personFacts, renderStories } from './investors.ts'
import { facts, linkTo, type Page, readerOf, state, stateIn, table, type Visit } from './page.ts'
import type { TextName } from './texts.ts'

type Found = Output<'find'>

/** Everything that the text in the search box may mean: persons with their orders, and others. */
export async function showFound(visit: Visit): Promise<Page> {
  const { say } = visit
  const text = (readerOf(visit)('text') ?? '').trim()
  if (text === '')
    return { title: say('search'), body: html`<p class="soft">${say('findHint')}</p>` }
  const all = await visit.service.call('find', { text })
  const { found, more, more_records: moreRecords } = all
  const records = recordsIn(visit, all)
  const nothing = html`<p>${say('nothingFound', { text })}</p>${looksLikeIban(text) && html`<p class="note">${say('wrongIban')}</p>`}<p class="soft">${say('findHint')}</p>`
  const body = html`${
    records.length > 0 &&
    table(say, say('found'), records, [
      { head: 'kind', cell: (row) => say(row.kind) },
      { head: 'name', cell: (row) => row.link },
      { head: 'details', cell: (row) => row.about },
    ])
  }${moreRecords > 0 && html`<p class="soft">${say('more', { count: moreRecords })}</p>`}${found.map(
    (person) => html`<h2>${linkTo.investor(person.investor_id, nameOf(person))}</h2>
${facts([...personFacts(visit, person), [say('match'), person.matched.map((kind) => say(matches[kind])).join(', ')]])}
${renderStories(visit, person)}`,
  )}${found.length + records.length === 0 && nothing}
${more > 0 && html`<p class="soft">${say('more', { count: more })}</p>`}`
  return { title: say('found'), commands: command('find', text, '--json'), body }
}

const matches = {
  name: 'name',
  email: 'email',
  iban: 'iban',
  mandate_reference: 'mandate',
  partner_customer_ref: 'reference',
  investor_id: 'person',
  share_purchase_id: 'share_purchase',
  event_id: 'event',
} as const

interface FoundRecord {
  readonly kind: TextName
  readonly link: Html
  readonly about: Part
}

function recordsIn(visit: Visit, found: Found): readonly FoundRecord[] {
  return [
    ...found.organizations.map(({ organization_id: id, name }): FoundRecord => {
      return { kind: 'organization', link: linkTo.partner(id, name), about: null }
    }),
    ...found.clients.map((client): FoundRecord => {
      const { client_id: id, name, organization_id: owner, organization } = client
      return {
        kind: 'client',
        link: linkTo.partner(owner, name ?? id),
        about: foreign(organization),
      }
    }),
    ...found.cooperatives.map(({ cooperative_id: id, name, city }): FoundRecord => {
      return { kind: 'cooperative', link: linkTo.cooperative(id, name), about: foreign(city) }
    }),
    ...found.collections.map(({ collection_id: id, cooperative, state: now }): FoundRecord => {
      return {
        kind: 'collection',
        link: linkTo.collection(id, cooperative),
        about: state(visit, now),
      }
    }),
    ...found.events.map(({ event_id: id, type, share_purchase_id: order }): FoundRecord => {
      return {
        kind: 'event',
        link: linkTo.event(id),
        about: html`${type} ${linkTo.order(order)}`,
      }
    }),
  ]
}

/** The maximum number of suggestions of each kind. */
const mostSuggested = 5
/** The longest text that the search accepts. */
const mostCharacters = 300

/**
 * The options of the search box, for its script. What somebody types is in the body of the request, because addresses are
 * logged and remembered.
 */
export async function suggest(visit: Visit, form: Form): Promise<HTTPResponse> {
  const text = (form.get('text') ?? '').trim().slice(0, mostCharacters)
  const { say } = visit
  const found = await visit.service.reads.suggest(text, mostSuggested)
  const suggestions: readonly Suggestion[] = [
    ...found.orders.map(({ sharePurchaseId: id, status }): Suggestion => {
      return {
        kind: 'share_purchase',
        path: `/orders/${id}`,
        name: id,
        about: stateIn(visit, status),
      }
    }),
    ...found.persons.map(({ investor, partnerCustomerRef, organizationName }): Suggestion => {
      const { investorId: id, profile } = investor
      const name = profile && personName(profile)
      const company = profile?.company?.name
      const names = [name, company].filter(Boolean).join(', ')
      const about = [organizationName, partnerCustomerRef].filter(Boolean).join(' · ')
      return { kind: 'person', path: `/investors/${id}`, name: names || id, about }
    }),
    ...found.organizations.map(({ organizationId: id, name }): Suggestion => {
      return { kind: 'organization', path: `/partners/${id}`, name, about: '' }
    }),
    ...found.clients.map(({ client, organizationName: about }): Suggestion => {
      const { organizationId, clientId, name } = client
      return { kind: 'client', path: `/partners/${organizationId}`, name: name ?? clientId, about }
    }),
    ...found.cooperatives.map(({ id, name, city }): Suggestion => {
      return { kind: 'cooperative', path: `/catalogue/${id}`, name, about: city ?? '' }
    }),
    ...found.collections.map(({ collection, cooperativeName: name }): Suggestion => {
      const path = `/payments/${collection.collectionId}`
      return { kind: 'collection', path, name, about: stateIn(visit, collection.state) }
    }),
    ...found.events.map(({ eventId: id, type }): Suggestion => {
      return { kind: 'event', path: `/events/${id}`, name: id, about: type }
    }),
  ]
  const options = suggestions.map(
    ({ kind, path, name, about }, at) =>
      html`<a role="option" id="suggestion-${at}" tabindex="-1" aria-selected="false" href="${path}"><span class="kind">${say(kind)}</span> ${foreign(name)}${about !== '' && html` <span class="soft">${foreign(about)}</span>`}</a>`,
  )
  const all = html`<a role="option" id="suggestion-all" tabindex="-1" aria-selected="false" href="${pathTo('/find', { text })}">${say('allFound')}</a>`
  return new HTTPResponse(html`${options}${options.length > 0 && all}`.text, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  })
}

interface Suggestion {
  readonly kind: TextName
  readonly path: string
  readonly name: string
  readonly about: string
}
