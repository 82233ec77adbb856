// The key / leads to the search.
const search = document.getElementById('search')
addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)
  const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey
  if (event.key !== '/' || isTyping || !isPlain || !search) return
  event.preventDefault()
  search.focus()
})
