import { type Html, html } from './html.ts'
import type { Say, TextName } from './texts.ts'

const keys: readonly (readonly [keys: readonly string[], text: TextName])[] = [
  [['Ctrl K', '⌘ K', '/'], 'keySearch'],
  [['j'], 'keyNext'],
  [['k'], 'keyPrevious'],
  [['Enter'], 'keyOpen'],
  [['?'], 'keyList'],
  [['Esc'], 'keyClose'],
]

/** The list of keys, which the script opens, and the switch for keys without Ctrl (WCAG 2.1.4). */
export function renderKeys(say: Say): Html {
  const rows = keys.map(
    ([names, text]) =>
      html`<dt>${names.map((name, at) => html`${at > 0 && ' '}<kbd>${name}</kbd>`)}</dt><dd>${say(text)}</dd>`,
  )
  return html`<button type="button" id="show-keys" class="quiet" hidden>${say('shortcuts')}</button>
<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">${say('shortcuts')}</h2>
<dl>${rows}</dl>
<label class="check"><input type="checkbox" id="single-keys" checked>${say('singleKeys')}</label>
<form method="dialog"><button>${say('close')}</button></form></dialog>`
}
