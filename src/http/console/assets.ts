// One file of styles and one of script, from the same origin: the content security policy allows nothing else.

export const styles = `
:root{color-scheme:light dark;--ink:#1c2124;--soft:#566067;--paper:#fff;--shade:#f3f5f6;--line:#ccd3d7;--accent:#0b5c4b;--on-accent:#fff;--good:#0a5f36;--warn:#7a4b00;--bad:#a11a1a}
@media(prefers-color-scheme:dark){:root{--ink:#e8ecee;--soft:#a8b3b9;--paper:#14181a;--shade:#1e2427;--line:#3a444a;--accent:#7fd6bf;--on-accent:#0d1f1a;--good:#7ddba6;--warn:#f0c07a;--bad:#ff9c94}}
*{box-sizing:border-box}
body{margin:0;font:1rem/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
a{color:var(--accent)}
a,dd,code,li,p,bdi,h1,h2,h3{overflow-wrap:anywhere}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.skip{position:absolute;left:-999rem}
.skip:focus{position:static;display:block;padding:.5rem 1rem}
header .brand{font-weight:700;color:var(--ink);text-decoration:none}
.environment{border:1px solid var(--line);border-radius:.3rem;padding:.05rem .5rem;font-size:.875rem}
.environment.production{background:var(--bad);border-color:var(--bad);color:var(--paper)}
header .soft{font-size:.875rem}
header{background:var(--shade);border-bottom:1px solid var(--line);padding:.5rem 1rem}
header>div{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;justify-content:space-between}
nav ul{display:flex;flex-wrap:wrap;gap:.1rem .25rem;list-style:none;margin:.5rem 0 0;padding:0}
nav a{display:block;padding:.25rem .6rem;border-radius:.3rem;text-decoration:none}
nav a[aria-current]{background:var(--accent);color:var(--on-accent)}
main{max-width:110rem;margin:0 auto;padding:1rem 1rem 2rem}
header>div,nav{max-width:108rem;margin:0 auto}
footer{max-width:110rem;margin:0 auto;padding:1rem;color:var(--soft);border-top:1px solid var(--line)}
h1{font-size:1.5rem;margin:.25rem 0 1rem}
h2{font-size:1.15rem;margin:1.75rem 0 .5rem}
form{margin:0}
form.row,.actions{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:end}
form.inline{align-items:center}
dl+form,dl+div,dl+p,table+form,table+div,table+p,form+table,dl+table,dl+details,.actions+details,form+details{margin-top:1rem}
main .actions{flex-direction:column;align-items:stretch;gap:.6rem}
.choice{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:end;margin:1rem 0 0}
label{display:inline-flex;flex-direction:column;gap:.1rem;font-size:.9rem;max-width:100%}
fieldset{display:flex;flex-wrap:wrap;gap:.25rem .75rem;border:1px solid var(--line);border-radius:.3rem;min-width:0}
label.check{flex-direction:row;align-items:center;gap:.4rem;min-height:2.3rem}
input,select,textarea,button{font:inherit;font-size:1rem;color:inherit;max-width:100%}
button,.button,input[type=file]{min-height:2.3rem}
input:not([type=checkbox],[type=file]),select{height:2.3rem}
input:not([type=checkbox]),select,textarea{background:var(--paper);border:1px solid var(--soft);border-radius:.3rem;padding:.3rem .5rem}
button,.button{display:inline-block;background:var(--accent);color:var(--on-accent);border:1px solid var(--accent);border-radius:.3rem;padding:.35rem .9rem;cursor:pointer;text-decoration:none}
button.quiet,.button.quiet{background:transparent;color:var(--accent)}
button.danger{background:var(--bad);border-color:var(--bad);color:var(--paper)}
.actions button.danger,td button.danger{background:transparent;color:var(--bad)}
code{font:.875em/1.4 ui-monospace,monospace}
form>code,.commands code,.actions code{color:var(--soft)}
form.row>a{align-self:end;padding-bottom:.4rem}
form.row>label:has(textarea){flex-basis:100%}
.button+code{color:var(--soft);margin-left:.5rem}
form>code{align-self:end;flex:1 1 20rem;padding-bottom:.5rem}
.commands code{display:block}
td form>code{flex-basis:100%;overflow-wrap:anywhere}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--shade);padding:.75rem;border-radius:.3rem}
table{border-collapse:collapse;width:100%;font-size:.925rem;margin-bottom:.75rem}
caption,.unseen{position:absolute;left:-999rem}
td a code,td code.id{display:inline-block;max-width:8.5rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;vertical-align:text-bottom}
td>code,td>bdi,td a bdi{overflow-wrap:break-word}
td>code.long{overflow-wrap:anywhere}
td a code{text-decoration:underline}
td>time{white-space:nowrap}
th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
th{color:var(--soft);font-weight:600}
th.number,td.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
dl{display:grid;grid-template-columns:minmax(8rem,max-content) 1fr;gap:.25rem 1.25rem;margin:0}
dt{color:var(--soft)}
dd{margin:0}
ins{text-decoration:none}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,13rem),1fr));gap:.75rem;list-style:none;margin:0;padding:0}
.cards li{border:1px solid var(--line);border-radius:.4rem;padding:.75rem;background:var(--shade)}
.cards strong{display:block;font-size:1.8rem;line-height:1.2}
.state{white-space:nowrap}
.good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}
.soft{color:var(--soft)}
.note{border-left:4px solid var(--accent);background:var(--shade);padding:.6rem 1rem;margin:0 0 1rem}
dl+.note{margin-top:1rem}
.note.bad{border-color:var(--bad);color:inherit}
.secret{font-size:1.1rem;user-select:all}
ol.story{list-style:none;border-left:3px solid var(--line);margin:0;padding:0 0 0 1rem}
ol.story li{margin:.35rem 0}
img.picture{max-width:10rem;max-height:7rem;height:auto;border-radius:.3rem}
svg.chart{width:100%;max-width:48rem;height:auto;overflow:visible}
svg.chart rect{fill:var(--accent)}
svg.chart text{fill:var(--soft);font:11px system-ui,sans-serif}
ul.guide{margin:.25rem 0 .5rem;padding-left:1.25rem;max-width:75ch}
.pictures{display:flex;flex-wrap:wrap;gap:1rem;margin-bottom:1rem}
figure{margin:0}
figcaption{color:var(--soft);font-size:.875rem}
summary{cursor:pointer;padding:.35rem 0}
h3{font-size:1rem;margin:1.5rem 0 .5rem}
.pages{display:flex;align-items:center;gap:1rem;margin:.75rem 0}
@media(min-width:64.01rem){
 td:has(>bdi,>a>bdi){max-width:11rem}
}
@media(max-width:80rem){
 th,td{padding:.35rem}
 td>time{white-space:normal}
}
@media(max-width:64rem){
 td>code,td>bdi,td a bdi{overflow-wrap:anywhere}
 td a code,td code.id{max-width:none;white-space:normal}
 thead{position:absolute;left:-999rem}
 tbody,tr,td{display:block;width:auto}
 tr{border:1px solid var(--line);border-radius:.4rem;margin:0 0 .6rem;padding:.25rem 0}
 td{border:0}
 td:empty{display:none}
 td[data-head]::before{content:attr(data-head) ": ";color:var(--soft)}
 td.number{text-align:left}
}
@media(min-width:45.01rem) and (max-width:64rem){
 tr{display:flex;flex-wrap:wrap;gap:0 1rem}
}
@media(max-width:45rem){
 form[role=search]{flex:1 1 100%;flex-wrap:nowrap;min-width:0}
 form[role=search] input{flex:1 1 0;width:0;min-width:0}
 nav ul{flex-wrap:nowrap;overflow-x:auto}
 nav a{white-space:nowrap}
 svg.chart text{font-size:24px}
 svg.chart text.day:not(:nth-of-type(6n+4)){display:none}
 dl{grid-template-columns:1fr}
 dd{margin-bottom:.4rem}
}
`

/** Pages work without this script, apart from the live requests. */
export const script = `
'use strict'
const language = document.documentElement.lang
const locale = navigator.languages.find((each) => each.startsWith(language)) ?? language
for (const time of document.querySelectorAll('time')) showTime(time)
const search = document.getElementById('search')
addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)
  if (event.key !== '/' || isTyping || event.ctrlKey || event.altKey || event.metaKey || !search) return
  event.preventDefault()
  search.focus()
})
const here = document.querySelector('nav [aria-current]')
// Scrolling it into view would also move the point from which the Tab key starts.
if (here) here.closest('ul').scrollLeft = here.offsetLeft - 16
const all = document.getElementById('all')
if (all) {
  all.closest('label').hidden = false
  all.addEventListener('change', () => {
    for (const box of document.querySelectorAll('input[name=id]')) box.checked = all.checked
  })
}
const live = document.getElementById('live')
if (live) follow(live)

function showTime(time) {
  const at = new Date(time.dateTime)
  if (Number.isNaN(at.getTime())) return
  time.title = time.dateTime
  time.textContent = at.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'medium' })
}

async function follow(body) {
  const state = document.getElementById('live-state')
  let after
  for (;;) {
    try {
      const answer = await fetch('/live/requests?wait=20s' + (after === undefined ? '' : '&after=' + after))
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
  time.dateTime = request.at
  showTime(time)
  const { client, organization, method, route, status, code, reason, duration_ms, request_id } = request
  const cells = [time, organization + ' ' + client, method + ' ' + route, String(status), [code, reason].filter(Boolean).join(': '), duration_ms + ' ms', request_id]
  for (const [index, content] of cells.entries()) {
    const cell = row.insertCell()
    cell.dataset.head = heads[index]
    cell.append(content)
  }
  if (status >= 400) row.cells[3].className = status >= 500 ? 'bad' : 'warn'
  return row
}
`
