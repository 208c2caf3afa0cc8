// The page that a server shows before the site is built: what the event is, and the links of its mails.

const element = (id) => document.getElementById(id)

const RETRY_MS = 5000

/** How far this computer's clock is behind the server's. */
let clockOffset = 0

class RefusedError extends Error {
  constructor(message, status) {
    super(message)
    /** Whether asking again cannot help. */
    this.isFinal = status < 500 && status !== 429
  }
}

async function call(path, init) {
  const response = await fetch(path, { ...init, headers: { 'content-type': 'application/json' } })
  const date = Date.parse(response.headers.get('date') ?? '')
  if (!Number.isNaN(date)) clockOffset = date - Date.now()
  const answer = await response.json()
  if (!response.ok) throw new RefusedError(answer.message, response.status)
  return answer
}

function show(id, text) {
  const target = element(id)
  if (text !== undefined) target.textContent = text
  target.hidden = false
  return target
}

function textOf(error) {
  return error instanceof RefusedError ? error.message : 'The server did not answer.'
}

// --- The event

async function showEvent() {
  try {
    const { data: config } = await call('/api/v2/integrations/client/config')
    element('problem').hidden = true
    element('name').textContent = config.ctfName
    document.title = location.pathname === '/verify' ? `Confirm · ${config.ctfName}` : config.ctfName
    if (config.meta.description) show('description', config.meta.description)
    showPhase(config)
    setInterval(showPhase, 1000, config)
    element('rows').replaceChildren(...rowsOf(config).map(([name, value]) => row(name, value)))
    show('config')
  } catch (error) {
    show('problem', `${textOf(error)} Trying again.`)
    setTimeout(showEvent, RETRY_MS)
  }
}

function showPhase({ startTime, endTime }) {
  const now = Date.now() + clockOffset
  const phase = now < startTime ? 'Starts in' : now < endTime ? 'Ends in' : 'The event is over'
  // Written only when it changes, so that the heading is not announced each second.
  if (element('phase-title').textContent !== phase) {
    element('phase-title').textContent = phase
    element('from').textContent = instant(startTime)
    element('to').textContent = instant(endTime)
  }
  element('countdown').hidden = now >= endTime
  element('countdown').textContent = duration((now < startTime ? startTime : endTime) - now)
  element('phase').hidden = false
}

function instant(ms) {
  return new Date(ms).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

const two = (number) => String(number).padStart(2, '0')

function duration(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const days = Math.floor(seconds / 86_400)
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60]
    .map(two)
    .join(':')
  return days > 0 ? `${days} d ${clock}` : clock
}

/** The configuration as pairs of a dotted name and a text. */
function rowsOf(value, name = '') {
  if (name === 'startTime' || name === 'endTime') return [[name, instant(value)]]
  if (value === null || value === '') return [[name, 'not set']]
  if (typeof value === 'boolean') return [[name, value ? 'yes' : 'no']]
  if (typeof value !== 'object') return [[name, String(value)]]
  const entries = Object.entries(value)
  if (entries.length === 0) return [[name, 'none']]
  return entries.flatMap(([key, child]) => rowsOf(child, name === '' ? key : `${name}.${key}`))
}

function row(name, value) {
  const line = document.createElement('tr')
  const head = document.createElement('th')
  head.scope = 'row'
  head.textContent = name
  const cell = document.createElement('td')
  cell.textContent = value
  line.append(head, cell)
  return line
}

// --- Links of mails

async function showVerification(token) {
  show('verify')
  try {
    const { data: info } = await call(`/api/v2/auth/verify-info?token=${encodeURIComponent(token)}`)
    show('verify-text', purposeOf(info))
    const button = show('verify-continue')
    button.addEventListener('click', () => void verify(token, button))
  } catch (error) {
    show('verify-text', textOf(error))
  }
}

function purposeOf({ kind, email, name = 'a team that is gone' }) {
  if (kind === 'register') return `Create the team ${name} with the address ${email}.`
  if (kind === 'update') return `Change the address of ${name} to ${email}.`
  return `Sign in as ${name}.`
}

async function verify(token, button) {
  button.disabled = true
  try {
    const { kind, data } = await call('/api/v2/auth/verify', {
      method: 'POST',
      body: JSON.stringify({ verifyToken: token }),
    })
    button.hidden = true
    if (kind === 'goodEmailSet') {
      show('verify-text', 'The address was changed.')
      return
    }
    show('verify-text', 'Keep these. The team token signs in as your team and never expires.')
    // A link that signs in carries the team token itself.
    const teamToken = data.teamToken ?? token
    const tokens = show('verify-tokens')
    tokens.replaceChildren(
      ...tokenField('Team token', teamToken),
      ...tokenField('Auth token', data.authToken),
    )
  } catch (error) {
    // A refused link is used up; without an answer it may be tried again.
    button.hidden = error instanceof RefusedError && error.isFinal
    button.disabled = false
    show('verify-text', textOf(error))
  }
}

function tokenField(label, token) {
  const head = document.createElement('h3')
  head.textContent = label
  const text = document.createElement('code')
  text.className = 'token'
  text.textContent = token
  if (!navigator.clipboard) return [head, text]
  const copy = document.createElement('button')
  copy.type = 'button'
  copy.className = 'plain'
  copy.textContent = `Copy the ${label.toLowerCase()}`
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(token)
    copy.textContent = 'Copied'
  })
  return [head, text, copy]
}

const token = new URLSearchParams(location.search).get('token')
if (location.pathname === '/verify' && token) {
  // It leaves the address bar and the history at once: it may be a credential.
  history.replaceState(null, '', '/verify')
  void showVerification(token)
}
void showEvent()
