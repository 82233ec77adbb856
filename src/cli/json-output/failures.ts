import { byName, type JsonSchema, record, refer, text } from '../../wire/json-schema.ts'
import type { RenderedError } from '../errors.ts'

/** What commands print instead of what they could not do. */
export const failureObjects: Readonly<Record<string, JsonSchema>> = {
  Error: record<RenderedError>(
    {
      code: text('Code of the error; see [Errors](errors.md).'),
      message: text('Message for people; it may change.'),
      errors: byName(text(''), 'Message for each invalid field, by its path.'),
    },
    ['errors'],
  ),
  'Failed share purchase': record<{ share_purchase_id: string; error: RenderedError }>({
    share_purchase_id: text('Id as you gave it.'),
    error: refer('Error', 'Why the share purchase was not changed.'),
  }),
  'Failed event': record<{ event_id: string; error: RenderedError }>({
    event_id: text('Id as you gave it.'),
    error: refer('Error', 'Why the event was not replayed.'),
  }),
}

/** Every command prints this when it fails. */
export const failure: JsonSchema = record<{ error: unknown }>({
  error: refer('Error', 'Why the command failed.'),
})
