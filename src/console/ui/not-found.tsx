import { DomainForm } from "./components/domain-form.tsx";
import { useTitle } from "./router.ts";

export function NotFound() {
  useTitle("Page not found");
  return (
    <div class="narrow">
      <h1>Page not found</h1>
      <p class="lead">Check the address, or look up a company.</p>
      <DomainForm />
      <p>
        <a href="/">Home</a>
      </p>
    </div>
  );
}
