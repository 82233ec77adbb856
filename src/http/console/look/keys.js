// Keys for the whole console. Each key without Ctrl can be turned off (WCAG 2.1.4).
const searchBox = document.getElementById('search')
const dialog = document.getElementById('keys')
const button = document.getElementById('show-keys')
const single = document.getElementById('single-keys')
const kept = 'coopshare.singleKeys'

if (dialog && button && single) {
  button.hidden = false
  button.addEventListener('click', () => dialog.showModal())
  single.checked = read() !== 'off'
  single.addEventListener('change', () => keep(single.checked ? 'on' : 'off'))
  // A click beside the dialog closes it.
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
  addEventListener('keydown', press)
}

// A browser may keep nothing for pages.
function read() {
  try {
    return localStorage.getItem(kept)
  } catch {
    return null
  }
}

function keep(value) {
  try {
    localStorage.setItem(kept, value)
  } catch {}
}

function press(event) {
  if (event.defaultPrevented || event.isComposing || event.altKey || dialog.open) return
  const key = event.key.toLowerCase()
  if (event.ctrlKey || event.metaKey) {
    if (key === 'k' && !event.shiftKey) goToSearch(event)
    return
  }
  if (!single.checked || isTyping(event.target)) return
  if (key === '/') goToSearch(event)
  else if (key === '?') dialog.showModal()
  else if (key === 'j' && !event.shiftKey) move(1)
  else if (key === 'k' && !event.shiftKey) move(-1)
  else return
  event.preventDefault()
}

function goToSearch(event) {
  if (!searchBox) return
  event.preventDefault()
  searchBox.focus()
  searchBox.select()
}

function isTyping(target) {
  if (!(target instanceof Element)) return false
  const fields =
    'select, textarea, input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=file])'
  return target.matches(fields) || target.isContentEditable
}

// The focus is on the link of a row, so Enter opens it, and a screen reader says it.
function move(by) {
  const rows = [...document.querySelectorAll('main tbody tr')].filter((row) => linkOf(row))
  const here = rows.findIndex((row) => row.contains(document.activeElement))
  const at = here < 0 ? (by > 0 ? 0 : rows.length - 1) : here + by
  const link = rows[at] && linkOf(rows[at])
  if (!link) return
  link.focus()
  rows[at].scrollIntoView({ block: 'nearest' })
}

// The link of the whole row, or else its first one.
function linkOf(row) {
  const links = [...row.querySelectorAll('a.whole[href]'), ...row.querySelectorAll('a[href]')]
  return links.find((link) => link.getClientRects().length > 0)
}
