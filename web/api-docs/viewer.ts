import { textsOf } from './texts.ts'

// Starts the viewer, Swagger UI, in `#viewer`. It is loaded before.

type Viewer = (options: object) => void

const texts = textsOf(document.documentElement.lang)

async function start(): Promise<void> {
  const description = await readDescription()
  const { SwaggerUIBundle: show } = globalThis as unknown as { readonly SwaggerUIBundle: Viewer }
  show({
    spec: { ...description, servers: [{ url: location.origin }] },
    dom_id: '#viewer',
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    defaultModelsExpandDepth: -1,
    // A page for reading: changes belong to programs.
    supportedSubmitMethods: ['get', 'head'],
    // Its colours have too little contrast.
    syntaxHighlight: false,
    validatorUrl: null,
    persistAuthorization: false,
  })
}

async function readDescription(): Promise<object> {
  const response = await fetch('/api/openapi.json')
  if (!response.ok) throw new Error(`status ${response.status}`)
  return (await response.json()) as object
}

start().catch(() => {
  const message = document.getElementById('state')
  if (message) message.textContent = texts.failed
})
