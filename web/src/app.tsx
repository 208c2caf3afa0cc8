import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, Suspense, useState } from 'react'
import { RouterProvider } from 'react-router/dom'
import { followEvent } from './api/other-tabs.ts'
import { createQueryClient } from './api/query-client.ts'
import { useMoments } from './api/use-moments.ts'
import { createRouter, prefetchAtStart } from './routes.tsx'
import { usePreferences, useTheme } from './state/preferences.ts'
import { useText } from './text/catalogue.ts'
import { uiCatalogue } from './text/frame.ts'
import { SingleKeysProvider } from './ui/keys/single-keys.ts'
import { ToastProvider } from './ui/layers/toasts.tsx'
import { UiWordsProvider } from './ui/words.ts'

/** The whole site: what every page may rely on, around the router. */
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
          <Look>
            <RouterProvider router={router} />
          </Look>
        </Suspense>
      </QueryClientProvider>
    </StrictMode>
  )
}

function Look({ children }: { readonly children: React.ReactNode }) {
  const words = useText(uiCatalogue)
  useMoments(prefetchAtStart)
  return (
    // Both off: they would write style elements, which the site's policy forbids.
    <MantineProvider withCssVariables={false} withGlobalClasses={false} forceColorScheme={useTheme()}>
      <UiWordsProvider value={words}>
        <SingleKeysProvider value={usePreferences().shortcuts !== false}>
          <ToastProvider>{children}</ToastProvider>
        </SingleKeysProvider>
      </UiWordsProvider>
    </MantineProvider>
  )
}
