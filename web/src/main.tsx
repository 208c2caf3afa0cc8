import { createRoot } from 'react-dom/client'
import './theme/tokens.css'
import './theme/mantine.css'
import './theme/global.css'
import './theme/shell.css'
import './common.ts'
import { App } from './app.tsx'
import { followPreferences } from './state/preferences.ts'
import { followOtherTabs } from './state/session.ts'
import { loadText } from './text/catalogue.ts'
import { errorCatalogue } from './text/errors.ts'
import { frameCatalogue, uiCatalogue } from './text/frame.ts'

/** Present only in a build of mode `mock`: answers the API in the browser. */
async function installMock(): Promise<void> {
  if (import.meta.env.MODE !== 'mock') return
  const [load] = Object.values(import.meta.glob<{ install: () => Promise<void> }>('../mock/install.ts'))
  globalThis.pennantEarly = undefined
  await (await load?.())?.install()
}

async function start(): Promise<void> {
  await installMock()
  followPreferences()
  followOtherTabs()
  // The shell of index.html stays until the frame has its words.
  await Promise.all([frameCatalogue, uiCatalogue, errorCatalogue].map(loadText))
  const root = document.querySelector('#root')
  if (root) createRoot(root).render(<App />)
}

// Not awaited: the mock imports from this file's chunk, which would wait for itself.
void start()
