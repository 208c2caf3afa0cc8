import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, Suspense, useState } from 'react'
import { RouterProvider } from 'react-router/dom'
import { createQueryClient } from './api/query-client.ts'
import { createRouter } from './routes.tsx'
import { useTheme } from './state/preferences.ts'
import { useText } from './text/catalogue.ts'
import { uiCatalogue } from './text/frame.ts'
import { ToastProvider } from './ui/layers/toasts.tsx'
import { UiWordsProvider } from './ui/words.ts'

/** The whole site: what every page may rely on, around the router. */
export function App() {
  const [queries] = useState(createQueryClient)
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
  return (
    // Both off: they would write style elements, which the site's policy forbids.
    <MantineProvider withCssVariables={false} withGlobalClasses={false} forceColorScheme={useTheme()}>
      <UiWordsProvider value={words}>
        <ToastProvider>{children}</ToastProvider>
      </UiWordsProvider>
    </MantineProvider>
  )
}
