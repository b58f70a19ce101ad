/** The crinkled surface: also public/favicon.svg. */
export function Logo() {
  return <img src="./favicon.svg" width={26} height={26} alt="" />;
}
