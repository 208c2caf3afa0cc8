import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, Suspense, useState } from 'react'
import { RouterProvider } from 'react-router/dom'
import { followEvent } from './api/other-tabs.ts'
import { useStream } from './api/use-stream.ts'
import { createQueryClient } from './api/query-client.ts'
import { useConfig } from './api/use-contest.ts'
import { useScheduledRefetches } from './api/use-scheduled-refetches.ts'
import { createRouter, prefetchAtStart } from './routes.tsx'
import { usePreferences } from './state/preferences.ts'
import { uiMessages } from './text/en/ui.ts'
import { useMessages } from './text/messages.ts'
import { SingleKeysProvider } from './ui/keys/single-keys.ts'
import { Announcer } from './ui/announcer.tsx'
import { ToastProvider } from './ui/layers/toasts.tsx'
import { PictureSources } from './ui/picture-sources.ts'
import { UiMessagesProvider } from './ui/ui-messages.ts'

const NO_SOURCES: readonly string[] = []

/** The whole site: the providers around the router. */
export function App() {
  const [queries] = useState(() => {
    const made = createQueryClient()
    followEvent(made)
    return made
  })
  const [router] = useState(createRouter)
  return (
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Suspense>
          <Appearance>
            <RouterProvider router={router} />
          </Appearance>
        </Suspense>
      </QueryClientProvider>
    </StrictMode>
  )
}

function Appearance({ children }: { readonly children: React.ReactNode }) {
  const messages = useMessages(uiMessages)
  const pictures = useConfig()?.pictureSources ?? NO_SOURCES
  useScheduledRefetches(prefetchAtStart)
  useStream()
  return (
    <UiMessagesProvider value={messages}>
      <SingleKeysProvider value={usePreferences().shortcuts !== false}>
        <PictureSources value={pictures}>
          <ToastProvider>{children}</ToastProvider>
          <Announcer />
        </PictureSources>
      </SingleKeysProvider>
    </UiMessagesProvider>
  )
}
