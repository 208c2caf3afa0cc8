import { createRoot } from 'react-dom/client'
import './theme/tokens.css'
import './theme/global.css'
import './theme/shell.css'
import './theme/shapes.css'
import { App } from './app.tsx'
import { followPreferences } from './state/preferences.ts'
import { followOtherTabs } from './state/session.ts'
import { errorMessages } from './text/en/errors.ts'
import { frameMessages } from './text/en/frame.ts'
import { uiMessages } from './text/en/ui.ts'
import { loadMessages } from './text/messages.ts'

async function start(): Promise<void> {
  followPreferences()
  followOtherTabs()
  // The static shell of index.html stays until the frame's messages are loaded.
  await Promise.all([loadMessages(frameMessages), loadMessages(uiMessages), loadMessages(errorMessages)])
  const root = document.querySelector('#root')
  if (root) createRoot(root).render(<App />)
}

// Not awaited: the texts of another language may import from this file's chunk, so awaiting here would deadlock.
void start()
