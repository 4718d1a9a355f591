import fc from "fast-check";

// The same random cases in every run, so that a failure is one that anybody can see again; CCF_SEED asks for others.
fc.configureGlobal({ seed: Number(process.env["CCF_SEED"] ?? 1) });
