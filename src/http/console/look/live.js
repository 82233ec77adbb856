// Shows requests as they come in.
const live = document.getElementById('live')
if (live) void follow(live)

async function follow(body) {
  const state = document.getElementById('live-state')
  let after
  for (;;) {
    try {
      const from = after === undefined ? '' : `&after=${after}`
      const answer = await fetch(`/live/requests?wait=20s${from}`)
      if (answer.status === 401) return location.reload()
      if (!answer.ok) throw new Error(String(answer.status))
      const { next, requests } = await answer.json()
      after = next
      state.textContent = state.dataset.on
      for (const request of requests) body.prepend(rowOf(request, body.dataset.heads.split('|')))
      while (body.rows.length > 500) body.lastChild.remove()
    } catch {
      state.textContent = state.dataset.off
      await new Promise((resolve) => setTimeout(resolve, 2000))
    }
  }
}

function rowOf(request, heads) {
  const row = document.createElement('tr')
  const time = document.createElement('time')
  time.dateTime = time.title = request.at
  time.textContent = request.at_shown
  const { client, organization, method, route, status, code, reason, duration_ms, request_id } =
    request
  const cells = [
    time,
    `${organization} ${client}`,
    `${method} ${route}`,
    String(status),
    [code, reason].filter(Boolean).join(': '),
    `${duration_ms} ms`,
    request_id,
  ]
  for (const [index, content] of cells.entries()) {
    const cell = row.insertCell()
    cell.dataset.head = heads[index]
    cell.append(content)
  }
  if (status >= 400) row.cells[3].className = status >= 500 ? 'bad' : 'warn'
  return row
}
