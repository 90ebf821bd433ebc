export { sources, textOnly } from "../../components/sources/sources.js";
