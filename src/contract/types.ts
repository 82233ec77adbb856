// Made by `npm run contract` from the files beside it.

export interface paths {
    readonly "/oauth2/token": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Get an access token
         * @description Authenticate with HTTP Basic (recommended), or send `client_id` and `client_secret` in the form. Do not do both. If you
         *     omit `scope`, the token carries all scopes that your client has.
         *
         *     The token is a JWT signed with RS256. To verify it yourself, take the key that its `kid` names from the key set, and
         *     check `iss`, `aud` and `exp`. The token also contains `client_id`, `org_id`, `token_type` and `scope`. There are no
         *     refresh tokens: request a new token shortly before the old one expires. Each client and each calling address can send
         *     20 requests a minute.
         */
        readonly post: operations["issueToken"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/.well-known/jwks.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the keys that sign tokens
         * @description During a key rotation, the set contains both keys. Use the key whose `kid` the token names.
         */
        readonly get: operations["readKeySet"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/oauth2/jwks": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the keys that sign tokens (second path)
         * @description Returns the same set as `/.well-known/jwks.json`.
         */
        readonly get: operations["readKeySetAtOAuthPath"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/.well-known/oauth-authorization-server": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the metadata of the authorization server
         * @description RFC 8414 metadata for OAuth libraries that configure themselves.
         */
        readonly get: operations["readAuthorizationServer"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/me": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the client of the token
         * @description Needs a valid token of a partner, but no scope. Use it as your first call, or to check new credentials.
         */
        readonly get: operations["readClient"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/cooperatives": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List or search the catalogue
         * @description Returns published cooperatives only. Filters are combined with AND. An empty filter has no effect.
         *
         *     With `near_lat` and `near_lng`, the list contains the cooperatives within `radius_km`, nearest first, each with its
         *     `distance_km`. You cannot combine this search with other filters or with `sort`: that returns 422. One coordinate
         *     without the other, or `radius_km` without both coordinates, also returns 422.
         *
         *     The sort order is stable, and cooperatives that sort equally are in the order of their ids. The catalogue can change
         *     between two pages.
         */
        readonly get: operations["listCooperatives"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/cooperatives/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The id of the cooperative.
                 * @example 5a0647af-e3eb-51b5-8b01-712b95e4348b
                 */
                readonly id: components["parameters"]["CooperativeId"];
            };
            readonly cookie?: never;
        };
        /**
         * Read one cooperative
         * @description By default, the response counts the projects by type. With `expand=projects` it lists each project. Either way, the token needs both scopes.
         */
        readonly get: operations["readCooperative"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/investors": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Find an investor by your own reference */
        readonly get: operations["findInvestor"];
        readonly put?: never;
        /**
         * Register a customer as an investor
         * @description Register each customer once, under your own reference. You can retry safely: if you send the same details again, you
         *     get a 200 with the existing investor. If you send a different e-mail address or a different profile, you get a 409. We
         *     compare your request with the details that we store now, and ignore fields that you omit.
         *
         *     If you send a `profile`, the same call completes the investor. Send the e-mail address either at the top level or
         *     inside the profile, but not in both places.
         */
        readonly post: operations["provisionInvestor"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/investors/{investorId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id from the response to the registration.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
            };
            readonly cookie?: never;
        };
        /**
         * Read an investor
         * @description `missing_profile_fields` lists the fields that you must send before the first order.
         */
        readonly get: operations["readInvestor"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/investors/{investorId}/profile": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id from the response to the registration.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * Replace the whole profile
         * @description The body is the profile itself. A field that you omit is unset afterwards, whatever we stored before. Only the e-mail
         *     address stays if you omit it.
         *
         *     If you send a consent as not given, or omit `representation_authorization`, you revoke that consent. We permanently
         *     erase the time at which it was given. Send each section (address, bank account, company) completely or not at all.
         *
         *     We derive the BIC and the institution from the IBAN. If we cannot do that at the moment, the request still succeeds,
         *     and `missing_profile_fields` lists them until you send them.
         */
        readonly put: operations["replaceProfile"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/investors/{investorId}/share-purchases": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id from the response to the registration.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
            };
            readonly cookie?: never;
        };
        /**
         * List an investor's orders
         * @description Returns the newest orders first. Compare this list with the webhooks that you have received.
         */
        readonly get: operations["listSharePurchases"];
        readonly put?: never;
        /**
         * Place an order for shares
         * @description The investor's profile must be complete. The order has the current price and fee of the cooperative, which are then
         *     frozen. The entry fee is due once for each investor and cooperative: it is zero if the investor already has held or
         *     pending shares. The order starts as `submitted`. All further steps take days.
         *
         *     Send an `Idempotency-Key`. If you repeat the same request with the same key, you get the existing order in its current
         *     state, with `Idempotent-Replayed: true`. A different request with the same key returns 409. That includes a request
         *     whose applicant_type now follows from a changed profile. We remember a key for 24 hours after you place an order with
         *     it. After that, the same key places a new order.
         */
        readonly post: operations["placeSharePurchase"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/investors/{investorId}/share-purchases/{purchaseId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id from the response to the registration.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
                /**
                 * @description The share_purchase_id from the response to the order.
                 * @example ba96d577-4678-5397-86e0-ed0fed1c7441
                 */
                readonly purchaseId: components["parameters"]["PurchaseId"];
            };
            readonly cookie?: never;
        };
        /** Read an order */
        readonly get: operations["readSharePurchase"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/investors/{investorId}/share-purchases/{purchaseId}/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id from the response to the registration.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
                /**
                 * @description The share_purchase_id from the response to the order.
                 * @example ba96d577-4678-5397-86e0-ed0fed1c7441
                 */
                readonly purchaseId: components["parameters"]["PurchaseId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Cancel an order
         * @description You can cancel an order while it is `submitted`. Once it is approved, we collect the payment, and only we can stop the order.
         */
        readonly post: operations["cancelSharePurchase"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/investors/{investorId}/holdings": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id from the response to the registration.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
            };
            readonly cookie?: never;
        };
        /**
         * List what an investor holds
         * @description Returns one holding for each cooperative in which the investor has settled or pending shares. To get the name, join `cooperative_id` with the catalogue.
         */
        readonly get: operations["listHoldings"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/images/cooperatives/{id}/{kind}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The id of the cooperative.
                 * @example 5a0647af-e3eb-51b5-8b01-712b95e4348b
                 */
                readonly id: components["parameters"]["CooperativeId"];
                /**
                 * @description The kind of image.
                 * @example hero
                 */
                readonly kind: "hero" | "card" | "logo";
            };
            readonly cookie?: never;
        };
        /**
         * Read an image of a cooperative
         * @description Use the addresses in the catalogue, such as `hero_image_url`. Do not build them yourself.
         */
        readonly get: operations["readCooperativeImage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/images/projects/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The id of the project.
                 * @example 024e36ad-56d3-5194-88a4-da9bd70a4b9a
                 */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        /**
         * Read the image of a project
         * @description Use the address in the `image_url` of the project.
         */
        readonly get: operations["readProjectImage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/docs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read the latest contract as a web page
         * @description This page is for a browser. It is self-contained and loads nothing else, neither from here nor from elsewhere.
         */
        readonly get: operations["readReferencePage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi.yaml": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read the latest contract as YAML */
        readonly get: operations["readLatestContractAsYaml"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read the latest contract as JSON */
        readonly get: operations["readLatestContractAsJson"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi/manifest.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the versions of the contract */
        readonly get: operations["readContractManifest"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi/{version}.yaml": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description A version from the manifest.
                 * @example 1.6.0
                 */
                readonly version: components["parameters"]["Version"];
            };
            readonly cookie?: never;
        };
        /**
         * Read one version of the contract as YAML
         * @description These bytes never change unless the manifest marks the version as a draft.
         */
        readonly get: operations["readContractAsYaml"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi/{version}.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description A version from the manifest.
                 * @example 1.6.0
                 */
                readonly version: components["parameters"]["Version"];
            };
            readonly cookie?: never;
        };
        /**
         * Read one version of the contract as JSON
         * @description These bytes never change unless the manifest marks the version as a draft.
         */
        readonly get: operations["readContractAsJson"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi/{version}.postman_collection.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description A version from the manifest.
                 * @example 1.6.0
                 */
                readonly version: components["parameters"]["Version"];
            };
            readonly cookie?: never;
        };
        /**
         * Read one version of the contract as a Postman collection
         * @description Import the collection, set `baseUrl`, `clientId` and `clientSecret`, and run it from top to bottom.
         */
        readonly get: operations["readContractAsCollection"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/livez": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Check that the process is running */
        readonly get: operations["readLiveness"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/readyz": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Check that the service can accept writes */
        readonly get: operations["readReadiness"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface webhooks {
    readonly "share_purchase.submitted": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * An order was accepted
         * @description We send this event after `POST …/share-purchases`. The terms are frozen.
         */
        readonly post: operations["onSharePurchaseSubmitted"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "share_purchase.approved": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * An order passed review
         * @description We are collecting the payment.
         */
        readonly post: operations["onSharePurchaseApproved"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "share_purchase.settled": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * An order settled
         * @description The shares are now in the investor's holdings.
         */
        readonly post: operations["onSharePurchaseSettled"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "share_purchase.rejected": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * An order was refused
         * @description We refused the order, which can happen at any time before it settles. If there is a `reason`, it is for people.
         */
        readonly post: operations["onSharePurchaseRejected"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "share_purchase.cancelled": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * An order was cancelled
         * @description You or we cancelled the order.
         */
        readonly post: operations["onSharePurchaseCancelled"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "webhook.test": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * A test of your URL
         * @description We send this event when you ask us to test your URL. It belongs to no order, and we send it once. We may also send it with a wrong signature, which you must refuse.
         */
        readonly post: operations["onWebhookTest"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * Format: uuid
         * @description A UUID in lower case.
         */
        readonly Id: string;
        /** @description An amount as a string with two decimals. */
        readonly Money: string;
        /** @description The currency (ISO 4217), today always `EUR`. */
        readonly Currency: string;
        /**
         * Format: date-time
         * @description A timestamp in ISO 8601, in UTC with milliseconds.
         */
        readonly Timestamp: string;
        /**
         * Format: date-time
         * @description A timestamp in ISO 8601 with an offset, which is required. The seconds, and the colon or the minutes of the offset, can be missing. The day must exist.
         */
        readonly RequestTimestamp: string;
        /** @description Text that is not blank and has no control characters. */
        readonly Text: string;
        readonly OptionalText: components["schemas"]["Text"] | null;
        readonly Scope: string;
        readonly TokenRequest: {
            /** @constant */
            readonly grant_type: "client_credentials";
            /** @description The scopes of the token, separated by spaces. The client must have each of them. If you omit this field, the token carries all scopes of the client. */
            readonly scope?: string;
            /** @description Required if there is no Authorization header. */
            readonly client_id?: string;
            /** @description Required if there is no Authorization header. */
            readonly client_secret?: string;
        };
        readonly Token: {
            /** @description A JWT. Treat it as opaque unless you verify it. */
            readonly access_token: string;
            /** @constant */
            readonly token_type: "Bearer";
            /**
             * @description The lifetime of the token in seconds.
             * @constant
             */
            readonly expires_in: 900;
            /** @description The scopes that the token carries, separated by spaces. */
            readonly scope: string;
        };
        readonly OAuthError: {
            readonly error: string;
            /** @description For people. The wording can change. */
            readonly error_description: string;
        };
        readonly InvalidTokenRequestError: components["schemas"]["OAuthError"] & {
            readonly error?: string;
        };
        readonly InvalidClientError: components["schemas"]["OAuthError"] & {
            readonly error?: string;
        };
        readonly TemporarilyUnavailableError: components["schemas"]["OAuthError"] & {
            readonly error?: string;
        };
        readonly ServerError: components["schemas"]["OAuthError"] & {
            readonly error?: string;
        };
        readonly KeySet: {
            readonly keys: readonly {
                /** @constant */
                readonly kty: "RSA";
                readonly n: string;
                readonly e: string;
                /** @description The `kid` in the header of tokens signed with this key. */
                readonly kid: string;
                /** @constant */
                readonly alg: "RS256";
                /** @constant */
                readonly use: "sig";
            }[];
        };
        readonly AuthorizationServer: {
            /**
             * Format: uri
             * @description The `iss` of the tokens.
             */
            readonly issuer: string;
            /** Format: uri */
            readonly token_endpoint: string;
            /** Format: uri */
            readonly jwks_uri: string;
            readonly scopes_supported: readonly components["schemas"]["Scope"][];
            /** @description Always empty, because there are no end-user logins. */
            readonly response_types_supported: readonly string[];
            readonly grant_types_supported: readonly string[];
            readonly token_endpoint_auth_methods_supported: readonly string[];
        };
        readonly ClientInfo: {
            readonly client_id: components["schemas"]["Id"];
            readonly organization_id: components["schemas"]["Id"];
            /** @description The scopes of this token. */
            readonly token_scopes: readonly components["schemas"]["Scope"][];
            /** @description All scopes that the client can request. */
            readonly granted_scopes: readonly components["schemas"]["Scope"][];
        };
        /** @enum {string} */
        readonly EnergyCategory: "solar" | "wind" | "heat" | "chp" | "hydro" | "biomass" | "other";
        /** @enum {string} */
        readonly DividendType: "fixed" | "variable" | "none";
        /** @enum {string} */
        readonly Affiliation: "affiliated" | "independent";
        readonly Coordinates: {
            readonly latitude: number;
            readonly longitude: number;
        };
        readonly CooperativeSummary: {
            readonly id: components["schemas"]["Id"];
            readonly name: string;
            readonly description: string | null;
            readonly city: string | null;
            readonly postal_code: string | null;
            readonly website_url: string | null;
            readonly energy_category: components["schemas"]["EnergyCategory"];
            /** @description Free text that complements the category. */
            readonly energy_type: string | null;
            readonly share_price: components["schemas"]["Money"];
            readonly share_price_currency: components["schemas"]["Currency"];
            readonly share_value: components["schemas"]["Money"];
            readonly share_value_currency: components["schemas"]["Currency"];
            readonly entry_fee: components["schemas"]["Money"];
            readonly entry_fee_currency: components["schemas"]["Currency"];
            /** @description The minimum that an investor must reach with held, pending and ordered shares together. */
            readonly minimum_shares: number;
            readonly min_investment_amount: components["schemas"]["Money"];
            readonly min_investment_amount_currency: components["schemas"]["Currency"];
            readonly dividend_type: components["schemas"]["DividendType"];
            readonly dividend_rate_percent: number | null;
            readonly bafa_funded: boolean;
            readonly affiliation: components["schemas"]["Affiliation"];
            /** Format: uri */
            readonly hero_image_url: string | null;
            /** Format: uri */
            readonly card_image_url: string | null;
            /** Format: uri */
            readonly logo_image_url: string | null;
            readonly created_at: components["schemas"]["Timestamp"];
            readonly updated_at: components["schemas"]["Timestamp"];
            /** @description Present only with `include_coordinates=true`. */
            readonly coordinates?: components["schemas"]["Coordinates"] | null;
            /** @description Present only in a search by place. */
            readonly distance_km?: number;
        };
        readonly CooperativeDetail: {
            readonly id: components["schemas"]["Id"];
            readonly name: string;
            readonly description: string | null;
            readonly city: string | null;
            readonly postal_code: string | null;
            readonly website_url: string | null;
            readonly energy_category: components["schemas"]["EnergyCategory"];
            /** @description Free text that complements the category. */
            readonly energy_type: string | null;
            readonly share_price: components["schemas"]["Money"];
            readonly share_price_currency: components["schemas"]["Currency"];
            readonly share_value: components["schemas"]["Money"];
            readonly share_value_currency: components["schemas"]["Currency"];
            readonly entry_fee: components["schemas"]["Money"];
            readonly entry_fee_currency: components["schemas"]["Currency"];
            /** @description The minimum that an investor must reach with held, pending and ordered shares together. */
            readonly minimum_shares: number;
            readonly min_investment_amount: components["schemas"]["Money"];
            readonly min_investment_amount_currency: components["schemas"]["Currency"];
            readonly dividend_type: components["schemas"]["DividendType"];
            readonly dividend_rate_percent: number | null;
            readonly bafa_funded: boolean;
            readonly affiliation: components["schemas"]["Affiliation"];
            /** Format: uri */
            readonly hero_image_url: string | null;
            /** Format: uri */
            readonly card_image_url: string | null;
            /** Format: uri */
            readonly logo_image_url: string | null;
            readonly created_at: components["schemas"]["Timestamp"];
            readonly updated_at: components["schemas"]["Timestamp"];
            /** @description The location of the cooperative. */
            readonly coordinates: components["schemas"]["Coordinates"] | null;
            /** @description Null with `expand=projects`. */
            readonly projects_by_type: readonly components["schemas"]["ProjectsOfType"][] | null;
            /** @description Null without `expand=projects`. */
            readonly projects: readonly components["schemas"]["Project"][] | null;
        };
        readonly ProjectsOfType: {
            readonly type: string;
            readonly count: number;
            /** @description The sum of the known capacities. */
            readonly capacity_kw: number | null;
        };
        readonly Project: {
            readonly id: components["schemas"]["Id"];
            readonly name: string;
            /** @description Free text. */
            readonly type: string;
            readonly energy_category: components["schemas"]["EnergyCategory"];
            readonly city: string | null;
            readonly capacity_kw: number | null;
            readonly annual_yield_mwh: number | null;
            /** @description The savings in a year. */
            readonly co2_savings_tons: number | null;
            /** Format: date */
            readonly commissioned_on: string | null;
            /** Format: uri */
            readonly image_url: string | null;
        };
        readonly CooperativePage: {
            readonly items: readonly components["schemas"]["CooperativeSummary"][];
            readonly page: number;
            /** @description The page size that you requested, limited to the allowed range. */
            readonly size: number;
            /** @description The number of items on all pages. */
            readonly total_items: number;
            readonly total_pages: number;
            readonly has_next: boolean;
            readonly has_previous: boolean;
            /** @description The sort order of the list. It is `distance_asc` in a search by place. */
            readonly sort: string;
        };
        readonly SharePurchasePage: {
            readonly items: readonly components["schemas"]["SharePurchase"][];
            readonly page: number;
            /** @description The page size that you requested, limited to the allowed range. */
            readonly size: number;
            /** @description The number of items on all pages. */
            readonly total_items: number;
            readonly total_pages: number;
            readonly has_next: boolean;
            readonly has_previous: boolean;
        };
        readonly HoldingPage: {
            readonly items: readonly components["schemas"]["Holding"][];
            readonly page: number;
            /** @description The page size that you requested, limited to the allowed range. */
            readonly size: number;
            /** @description The number of items on all pages. */
            readonly total_items: number;
            readonly total_pages: number;
            readonly has_next: boolean;
            readonly has_previous: boolean;
        };
        readonly ProvisionRequest: {
            /** @description Your own reference for the customer, unique among your investors. */
            readonly partner_customer_ref: string;
            readonly email?: components["schemas"]["OptionalEmail"];
            /** @description If you send a profile, the same call completes the investor. */
            readonly profile?: components["schemas"]["ProfileRequest"] | null;
        };
        /** @description The investor's e-mail address. */
        readonly OptionalEmail: string | null;
        readonly ProfileRequest: {
            readonly first_name?: components["schemas"]["OptionalText"];
            readonly last_name?: components["schemas"]["OptionalText"];
            /**
             * Format: date
             * @description An existing date, not in the future and at most 120 years ago.
             */
            readonly birth_date?: string | null;
            readonly tax_id?: components["schemas"]["OptionalText"];
            readonly phone?: components["schemas"]["OptionalText"];
            readonly email?: components["schemas"]["OptionalEmail"];
            readonly address?: components["schemas"]["AddressRequest"] | null;
            readonly bank_account?: components["schemas"]["BankAccountRequest"] | null;
            /** @description Send this only if the investor represents a company. */
            readonly company?: components["schemas"]["CompanyRequest"] | null;
            readonly consents: components["schemas"]["ConsentsRequest"];
        };
        readonly AddressRequest: {
            readonly street: components["schemas"]["Text"];
            readonly house_number: components["schemas"]["Text"];
            readonly postal_code: components["schemas"]["Text"];
            readonly city: components["schemas"]["Text"];
        };
        readonly BankAccountRequest: {
            /** @description Upper or lower case, with or without spaces. The checksum must be correct. */
            readonly iban: string;
            /** @description 8 or 11 characters. If you omit the BIC, we derive it from the IBAN. */
            readonly bic?: components["schemas"]["Text"] | null;
            /** @description If you omit the institution, we derive it from the IBAN. */
            readonly institution?: components["schemas"]["Text"] | null;
            /** @description If you omit the account holder, we use the name of the company or the investor. */
            readonly account_holder?: components["schemas"]["Text"] | null;
        };
        readonly CompanyRequest: {
            readonly name: components["schemas"]["Text"];
            readonly legal_form: components["schemas"]["Text"];
            readonly tax_id: components["schemas"]["Text"];
        };
        /** @description Send all three consents on every write. All three must be given before you can place an order. */
        readonly ConsentsRequest: {
            readonly terms: components["schemas"]["ConsentRequest"];
            readonly privacy: components["schemas"]["ConsentRequest"];
            readonly data_sharing: components["schemas"]["ConsentRequest"];
            /** @description The consent that the investor may act for the company. It can be given only together with a company. */
            readonly representation_authorization?: components["schemas"]["ConsentRequest"] | null;
        };
        readonly ConsentRequest: {
            readonly given: boolean;
            /** @description The time of the consent, which must not be in the future. If you omit it, we use the time at which we receive the request. Not allowed if `given` is false. */
            readonly given_at?: components["schemas"]["RequestTimestamp"] | null;
        };
        readonly Investor: {
            readonly investor_id: components["schemas"]["Id"];
            readonly partner_customer_ref: string;
            readonly email: string | null;
            /** @description Null until you send a profile. */
            readonly profile: components["schemas"]["ProfileSections"] | null;
            /** @description Whether you can place orders: true if nothing is missing. */
            readonly is_profile_complete: boolean;
            readonly missing_profile_fields: components["schemas"]["MissingProfileFields"];
            readonly created_at: components["schemas"]["Timestamp"];
            readonly updated_at: components["schemas"]["Timestamp"];
        };
        /** @description The paths of the missing fields within the profile, such as `address.street`, `bank_account.bic` or `consents.terms`, and also `email`. */
        readonly MissingProfileFields: readonly string[];
        readonly ProfileSections: {
            readonly first_name: string | null;
            readonly last_name: string | null;
            /** Format: date */
            readonly birth_date: string | null;
            readonly tax_id: string | null;
            readonly phone: string | null;
            readonly address: components["schemas"]["Address"] | null;
            readonly bank_account: components["schemas"]["BankAccount"] | null;
            readonly company: components["schemas"]["Company"] | null;
            readonly consents: components["schemas"]["Consents"];
        };
        readonly Profile: {
            readonly investor_id: components["schemas"]["Id"];
            readonly email: string | null;
            readonly first_name: string | null;
            readonly last_name: string | null;
            /** Format: date */
            readonly birth_date: string | null;
            readonly tax_id: string | null;
            readonly phone: string | null;
            readonly address: components["schemas"]["Address"] | null;
            readonly bank_account: components["schemas"]["BankAccount"] | null;
            readonly company: components["schemas"]["Company"] | null;
            readonly consents: components["schemas"]["Consents"];
            /** @description Whether you can place orders: true if nothing is missing. */
            readonly is_profile_complete: boolean;
            readonly missing_profile_fields: components["schemas"]["MissingProfileFields"];
        };
        readonly Address: {
            readonly street: string;
            readonly house_number: string;
            readonly postal_code: string;
            readonly city: string;
        };
        readonly BankAccount: {
            readonly iban_masked: components["schemas"]["MaskedIban"];
            readonly bic: string | null;
            readonly institution: string | null;
            readonly account_holder: string | null;
        };
        /** @description The first and last four characters. We never return the full IBAN. */
        readonly MaskedIban: string;
        readonly Company: {
            readonly name: string;
            readonly legal_form: string;
            readonly tax_id: string;
        };
        readonly Consents: {
            readonly terms: components["schemas"]["Consent"];
            readonly privacy: components["schemas"]["Consent"];
            readonly data_sharing: components["schemas"]["Consent"];
            readonly representation_authorization: components["schemas"]["Consent"];
        };
        readonly Consent: {
            readonly given: boolean;
            /** @description Null if, and only if, the consent is not given. */
            readonly given_at: components["schemas"]["Timestamp"] | null;
        };
        /** @enum {string} */
        readonly ApplicantType: "private" | "company";
        /** @description No field sets a price. We take the terms and privacy consents from the profile. */
        readonly SharePurchaseRequest: {
            /**
             * Format: uuid
             * @description A UUID (RFC 9562) in upper or lower case.
             */
            readonly cooperative_id: string;
            /** @description At most 10 000, unless we have agreed another limit with you. */
            readonly share_count: number;
            /** @description Lower case only. If you omit it, it follows from the profile. `company` requires a company in the profile. */
            readonly applicant_type?: components["schemas"]["ApplicantType"] | null;
            readonly sepa_mandate: components["schemas"]["SepaMandateRequest"];
            /** @description The time at which the investor agreed to the cooperative's statute. It must not be in the future. */
            readonly statute_consent_given_at: components["schemas"]["RequestTimestamp"];
        };
        readonly SepaMandateRequest: {
            /** @description The time at which the investor signed the mandate. It must not be in the future, and not more than 36 months ago unless you have used the reference since, because an unused mandate lapses then. */
            readonly signed_at: components["schemas"]["RequestTimestamp"];
            /** @description If you omit the IBAN, we use the account of the profile. The account must be in a SEPA country. */
            readonly debtor_iban?: components["schemas"]["Text"] | null;
            /** @description Up to 35 characters that SEPA allows. If you omit the reference, we issue one. */
            readonly reference?: components["schemas"]["Text"] | null;
        };
        /**
         * @description The statuses settled, rejected and cancelled are final. The step that creates a draft also submits it.
         * @enum {string}
         */
        readonly SharePurchaseStatus: "draft" | "submitted" | "approved" | "settled" | "rejected" | "cancelled";
        readonly SharePurchase: {
            readonly share_purchase_id: components["schemas"]["Id"];
            readonly investor_id: components["schemas"]["Id"];
            readonly cooperative_id: components["schemas"]["Id"];
            readonly status: components["schemas"]["SharePurchaseStatus"];
            readonly applicant_type: components["schemas"]["ApplicantType"];
            readonly share_count: number;
            readonly price_per_share: components["schemas"]["Money"];
            readonly price_per_share_currency: components["schemas"]["Currency"];
            readonly entry_fee: components["schemas"]["Money"];
            readonly entry_fee_currency: components["schemas"]["Currency"];
            /** @description The total is price_per_share × share_count + entry_fee. All of them are frozen at submission. */
            readonly total: components["schemas"]["Money"];
            readonly total_currency: components["schemas"]["Currency"];
            readonly sepa_mandate: components["schemas"]["SepaMandate"];
            readonly consents: components["schemas"]["SharePurchaseConsents"];
            /** @description For people. Some rejections have a reason. */
            readonly reason: string | null;
            readonly created_at: components["schemas"]["Timestamp"];
            readonly updated_at: components["schemas"]["Timestamp"];
        };
        readonly SepaMandate: {
            readonly reference: string;
            readonly signed_at: components["schemas"]["Timestamp"];
            readonly debtor_iban_masked: components["schemas"]["MaskedIban"];
        };
        /** @description The consents at the time of the order. */
        readonly SharePurchaseConsents: {
            readonly terms: components["schemas"]["Consent"];
            readonly privacy: components["schemas"]["Consent"];
            readonly statute: components["schemas"]["Consent"];
        };
        readonly NoFields: Record<string, never>;
        readonly Holding: {
            readonly id: components["schemas"]["Id"];
            readonly cooperative_id: components["schemas"]["Id"];
            readonly investor_id: components["schemas"]["Id"];
            /** @description The number of settled shares. */
            readonly shares: number;
            /** @description The number of shares in orders that have been placed but have not settled yet. */
            readonly pending_shares: number;
            /** @description Null until the first order settles. */
            readonly first_acquired_at: components["schemas"]["Timestamp"] | null;
            readonly created_at: components["schemas"]["Timestamp"];
            readonly updated_at: components["schemas"]["Timestamp"];
        };
        readonly Liveness: {
            /** @constant */
            readonly status: "alive";
        };
        readonly Readiness: {
            /** @constant */
            readonly status: "ready";
        };
        readonly ContractManifest: {
            /** @description The newest version that is not a draft. `/openapi.yaml`, `/openapi.json` and `/docs` show this version. */
            readonly latest: string;
            /** @description The newest version comes first. */
            readonly versions: readonly {
                readonly version: string;
                /** Format: date */
                readonly date: string;
                /** @description Present as long as the version can still change. */
                readonly draft?: boolean;
                readonly changes: readonly string[];
                readonly files: readonly {
                    /** @description The name of a file in the same directory as this manifest. */
                    readonly name: string;
                    readonly sha256: string;
                }[];
            }[];
        };
        /** @description A stable code. Branch on it, and treat a code that you do not know by its status. The table of errors lists the codes of this version. */
        readonly ProblemCode: string;
        /** @description A problem document (RFC 9457). */
        readonly Problem: {
            /**
             * Format: uri
             * @description The base address of the service, followed by `/errors/` and the code in lower-case kebab-case. The address leads to a page that explains the problem.
             */
            readonly type: string;
            /** @description For people. The wording can change. */
            readonly title: string;
            readonly status: number;
            /** @description Describes to people what is wrong with this request. */
            readonly detail: string;
            /** @description The path of the request as we received it. */
            readonly instance: string;
            readonly code: components["schemas"]["ProblemCode"];
            /** @description The X-Request-Id of the response. */
            readonly trace_id: string;
        };
        readonly FieldProblem: {
            /**
             * Format: uri
             * @description The base address of the service, followed by `/errors/` and the code in lower-case kebab-case. The address leads to a page that explains the problem.
             */
            readonly type: string;
            /** @description For people. The wording can change. */
            readonly title: string;
            /** @constant */
            readonly status: 422;
            /** @description Describes to people what is wrong with this request. */
            readonly detail: string;
            /** @description The path of the request as we received it. */
            readonly instance: string;
            readonly code: components["schemas"]["ProblemCode"];
            /** @description The X-Request-Id of the response. */
            readonly trace_id: string;
            /** @description The invalid fields by the path that you sent. Each value is the end of a sentence about the field. */
            readonly errors?: {
                readonly [key: string]: string;
            };
        };
        readonly InsufficientScopeProblem: {
            /** Format: uri */
            readonly type: string;
            readonly title: string;
            /** @constant */
            readonly status: 403;
            readonly detail: string;
            /** @description The path of the request as we received it. */
            readonly instance: string;
            /** @constant */
            readonly code: "INSUFFICIENT_SCOPE";
            /** @description The X-Request-Id of the response. */
            readonly trace_id: string;
            /** @description All scopes that the endpoint requires. */
            readonly required_scopes: readonly components["schemas"]["Scope"][];
        };
        /** @description An internal error. It has no code, so branch on its status. */
        readonly Fault: {
            /** Format: uri */
            readonly type: string;
            readonly title: string;
            /** @constant */
            readonly status: 500;
            readonly detail: string;
            /** @description The path of the request as we received it. */
            readonly instance: string;
            /** @description The X-Request-Id of the response. Quote it when you contact support. */
            readonly trace_id: string;
        };
        readonly InvalidSearchProblem: components["schemas"]["Problem"] & {
            /** @constant */
            readonly status?: 422;
            readonly code?: string;
        };
        readonly CooperativeNotFoundProblem: components["schemas"]["Problem"] & {
            /** @constant */
            readonly status?: 404;
            readonly code?: string;
        };
        readonly InvestorProfileConflictProblem: components["schemas"]["Problem"] & {
            /** @constant */
            readonly status?: 409;
            readonly code?: string;
        };
        readonly InvestorOrCooperativeNotFoundProblem: components["schemas"]["Problem"] & {
            /** @constant */
            readonly status?: 404;
            readonly code?: string;
        };
        readonly SharePurchaseConflictProblem: components["schemas"]["Problem"] & {
            /** @constant */
            readonly status?: 409;
            readonly code?: string;
        };
        readonly InvalidSharePurchaseProblem: components["schemas"]["FieldProblem"] & {
            readonly code?: string;
        };
        readonly IllegalStateProblem: components["schemas"]["Problem"] & {
            /** @constant */
            readonly status?: 409;
            readonly code?: string;
        };
        readonly InvalidParameterProblem: components["schemas"]["Problem"] & {
            /** @constant */
            readonly status?: 400;
            readonly code?: string;
        };
        readonly MalformedRequestBodyProblem: components["schemas"]["Problem"] & {
            /** @constant */
            readonly status?: 400;
            readonly code?: string;
        };
        readonly UnauthenticatedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            readonly status?: 401;
            readonly code?: string;
        };
        readonly ForbiddenProblem: components["schemas"]["Problem"] & {
            /** @constant */
            readonly status?: 403;
            readonly code?: string;
        };
        readonly InvestorNotFoundProblem: components["schemas"]["Problem"] & {
            /** @constant */
            readonly status?: 404;
            readonly code?: string;
        };
        readonly SharePurchaseNotFoundProblem: components["schemas"]["Problem"] & {
            /** @constant */
            readonly status?: 404;
            readonly code?: string;
        };
        readonly NotFoundProblem: components["schemas"]["Problem"] & {
            /** @constant */
            readonly status?: 404;
            readonly code?: string;
        };
        readonly MethodNotAllowedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            readonly status?: 405;
            readonly code?: string;
        };
        readonly PayloadTooLargeProblem: components["schemas"]["Problem"] & {
            /** @constant */
            readonly status?: 413;
            readonly code?: string;
        };
        readonly UnsupportedMediaTypeProblem: components["schemas"]["Problem"] & {
            /** @constant */
            readonly status?: 415;
            readonly code?: string;
        };
        readonly InvalidProfileProblem: components["schemas"]["FieldProblem"] & {
            readonly code?: string;
            readonly errors: Record<string, never>;
        };
        readonly RateLimitedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            readonly status?: 429;
            readonly code?: string;
        };
        readonly ServiceUnavailableProblem: components["schemas"]["Problem"] & {
            /** @constant */
            readonly status?: 503;
            readonly code?: string;
        };
        /** @description We will add more types. The webhooks in this document are the types of this version. */
        readonly EventType: string;
        readonly SharePurchaseSubmitted: {
            /** @description The id of this change of this order. It stays the same however often you receive the event. */
            readonly id: components["schemas"]["Id"];
            /** @constant */
            readonly type: "share_purchase.submitted";
            /** @description The time at which the change happened, not the time at which we sent the event. */
            readonly created_at: components["schemas"]["Timestamp"];
            readonly data: {
                readonly share_purchase_id: components["schemas"]["Id"];
                readonly investor_id: components["schemas"]["Id"];
                readonly cooperative_id: components["schemas"]["Id"];
                readonly share_count: number;
                /** @constant */
                readonly status: "submitted";
                /** @constant */
                readonly terminal: false;
                readonly total: components["schemas"]["Money"];
                readonly total_currency: components["schemas"]["Currency"];
            };
        };
        readonly SharePurchaseApproved: {
            /** @description The id of this change of this order. It stays the same however often you receive the event. */
            readonly id: components["schemas"]["Id"];
            /** @constant */
            readonly type: "share_purchase.approved";
            /** @description The time at which the change happened, not the time at which we sent the event. */
            readonly created_at: components["schemas"]["Timestamp"];
            readonly data: {
                readonly share_purchase_id: components["schemas"]["Id"];
                readonly investor_id: components["schemas"]["Id"];
                readonly cooperative_id: components["schemas"]["Id"];
                /** @constant */
                readonly status: "approved";
                /** @constant */
                readonly terminal: false;
            };
        };
        readonly SharePurchaseSettled: {
            /** @description The id of this change of this order. It stays the same however often you receive the event. */
            readonly id: components["schemas"]["Id"];
            /** @constant */
            readonly type: "share_purchase.settled";
            /** @description The time at which the change happened, not the time at which we sent the event. */
            readonly created_at: components["schemas"]["Timestamp"];
            readonly data: {
                readonly share_purchase_id: components["schemas"]["Id"];
                readonly investor_id: components["schemas"]["Id"];
                readonly cooperative_id: components["schemas"]["Id"];
                readonly share_count: number;
                /** @constant */
                readonly status: "settled";
                /** @constant */
                readonly terminal: true;
            };
        };
        readonly SharePurchaseRejected: {
            /** @description The id of this change of this order. It stays the same however often you receive the event. */
            readonly id: components["schemas"]["Id"];
            /** @constant */
            readonly type: "share_purchase.rejected";
            /** @description The time at which the change happened, not the time at which we sent the event. */
            readonly created_at: components["schemas"]["Timestamp"];
            readonly data: {
                readonly share_purchase_id: components["schemas"]["Id"];
                readonly investor_id: components["schemas"]["Id"];
                readonly cooperative_id: components["schemas"]["Id"];
                /** @constant */
                readonly status: "rejected";
                /** @constant */
                readonly terminal: true;
                /** @description For people. Absent if no reason was recorded. */
                readonly reason?: string;
            };
        };
        readonly SharePurchaseCancelled: {
            /** @description The id of this change of this order. It stays the same however often you receive the event. */
            readonly id: components["schemas"]["Id"];
            /** @constant */
            readonly type: "share_purchase.cancelled";
            /** @description The time at which the change happened, not the time at which we sent the event. */
            readonly created_at: components["schemas"]["Timestamp"];
            readonly data: {
                readonly share_purchase_id: components["schemas"]["Id"];
                readonly investor_id: components["schemas"]["Id"];
                readonly cooperative_id: components["schemas"]["Id"];
                /** @constant */
                readonly status: "cancelled";
                /** @constant */
                readonly terminal: true;
            };
        };
        readonly WebhookTest: {
            /** @description The id of this test. */
            readonly id: components["schemas"]["Id"];
            /** @constant */
            readonly type: "webhook.test";
            /** @description The time at which we sent the test. */
            readonly created_at: components["schemas"]["Timestamp"];
            readonly data: {
                readonly webhook_endpoint_id: components["schemas"]["Id"];
                /** @constant */
                readonly terminal: false;
            };
        };
    };
    responses: {
        /** @description The public keys. */
        readonly KeySet: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "Cache-Control": components["headers"]["PublicFiveMinutes"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["KeySet"];
            };
        };
        /** @description The image. */
        readonly Image: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly ETag: components["headers"]["ETag"];
                readonly "Cache-Control": components["headers"]["OneHour"];
                readonly "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "image/svg+xml": unknown;
                readonly "image/png": unknown;
                readonly "image/jpeg": unknown;
                readonly "image/webp": unknown;
            };
        };
        /** @description Your copy is still current. */
        readonly ImageUnchanged: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly ETag: components["headers"]["ETag"];
                readonly "Cache-Control": components["headers"]["OneHour"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Your copy is still current. */
        readonly CatalogueUnchanged: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly ETag: components["headers"]["ETag"];
                readonly "Cache-Control": components["headers"]["PrivateFiveMinutes"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The contract. */
        readonly ContractAsYaml: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly ETag: components["headers"]["ETag"];
                readonly "Cache-Control": components["headers"]["PublicContract"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/yaml": string;
            };
        };
        /** @description The contract. */
        readonly ContractAsJson: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly ETag: components["headers"]["ETag"];
                readonly "Cache-Control": components["headers"]["PublicContract"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": {
                    readonly openapi: string;
                    readonly info: Record<string, never>;
                    readonly paths: Record<string, never>;
                    readonly webhooks: Record<string, never>;
                    readonly components: Record<string, never>;
                };
            };
        };
        /** @description Your copy is still current. */
        readonly ContractUnchanged: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly ETag: components["headers"]["ETag"];
                readonly "Cache-Control": components["headers"]["PublicContract"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description You have received the event. We ignore the body of your response. */
        readonly Acknowledged: {
            headers: {
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A query parameter is not valid, is missing, or was sent twice. */
        readonly InvalidParameter: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["InvalidParameterProblem"];
            };
        };
        /** @description The body is not well-formed JSON in UTF-8, contains an unknown field, or is nested more than 64 levels deep. */
        readonly MalformedRequestBody: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["MalformedRequestBodyProblem"];
            };
        };
        /** @description The token is missing, expired, revoked or not ours. */
        readonly Unauthenticated: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly "WWW-Authenticate": components["headers"]["BearerChallenge"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["UnauthenticatedProblem"];
            };
        };
        /** @description The token lacks a scope, which we can grant. Or the client does not belong to a partner, and no scope changes that. */
        readonly Forbidden: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly "WWW-Authenticate": components["headers"]["ScopeChallenge"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["InsufficientScopeProblem"] | components["schemas"]["ForbiddenProblem"];
            };
        };
        /** @description The client does not belong to a partner. No scope changes that. */
        readonly NotAPartner: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["ForbiddenProblem"];
            };
        };
        /** @description None of your investors has this id or reference. */
        readonly InvestorNotFound: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["InvestorNotFoundProblem"];
            };
        };
        /** @description The investor has no order with this id, or the investor is not yours. */
        readonly SharePurchaseNotFound: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["SharePurchaseNotFoundProblem"];
            };
        };
        /** @description Nothing exists at this path. Below `/v1`, the response has the RateLimit headers of all responses there. */
        readonly NotFound: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["NotFoundProblem"];
            };
        };
        /** @description The path does not support this method. */
        readonly MethodNotAllowed: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly Allow: components["headers"]["Allow"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["MethodNotAllowedProblem"];
            };
        };
        /** @description The path does not support this method. */
        readonly PublicMethodNotAllowed: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly Allow: components["headers"]["Allow"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["MethodNotAllowedProblem"];
            };
        };
        /** @description The body is larger than 64 KiB. */
        readonly PayloadTooLarge: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["PayloadTooLargeProblem"];
            };
        };
        /** @description The body is not plain application/json: it has a different Content-Type or a Content-Encoding. */
        readonly UnsupportedMediaType: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["UnsupportedMediaTypeProblem"];
            };
        };
        /** @description Fields are not valid. `errors` names all of them, whether their format, a section or their meaning is wrong. */
        readonly InvalidProfile: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["InvalidProfileProblem"];
            };
        };
        /** @description You have sent too many requests. This request did not use any budget. */
        readonly RateLimited: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["RateLimitedProblem"];
            };
        };
        /** @description Something went wrong on our side. */
        readonly InternalServerError: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Fault"];
            };
        };
        /** @description The service cannot do this at the moment. */
        readonly ServiceUnavailable: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["ServiceUnavailableProblem"];
            };
        };
        /** @description Something went wrong on our side. */
        readonly PublicInternalServerError: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Fault"];
            };
        };
        /** @description The service cannot do this at the moment. */
        readonly PublicServiceUnavailable: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "Cache-Control": components["headers"]["NotStored"];
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["ServiceUnavailableProblem"];
            };
        };
    };
    parameters: {
        /**
         * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
         * @example my-request-1
         */
        readonly RequestId: string;
        /**
         * @description The tags of your copies, separated by commas. `*` and the prefix `W/` are supported.
         * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
         */
        readonly IfNoneMatch: string;
        /**
         * @description The page number, starting at 1. A lower number counts as 1. A page past the end is empty. A value that is not a whole number returns 400.
         * @example 1
         */
        readonly Page: number;
        /**
         * @description The page size, from 1 to 100. A number outside this range counts as the nearest allowed number. A value that is not a whole number returns 400.
         * @example 20
         */
        readonly Size: number;
        /**
         * @description The id of the cooperative.
         * @example 5a0647af-e3eb-51b5-8b01-712b95e4348b
         */
        readonly CooperativeId: string;
        /**
         * @description The investor_id from the response to the registration.
         * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
         */
        readonly InvestorId: string;
        /**
         * @description The share_purchase_id from the response to the order.
         * @example ba96d577-4678-5397-86e0-ed0fed1c7441
         */
        readonly PurchaseId: string;
        /**
         * @description A version from the manifest.
         * @example 1.6.0
         */
        readonly Version: string;
        /**
         * @description The time of the signature (`t`) and the HMAC-SHA256 of `<t>.<raw body>` with your signing secret, in hex (`v1`). If we ever add a newer scheme, this header contains both signatures for a while, each under its own name: look for `v1` and ignore the others.
         * @example t=1795168800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
         */
        readonly WebhookSignature: string;
        /**
         * @description The id of this delivery attempt. Each retry has a different one. To recognize an event that you have already received, use the `id` in the body.
         * @example 01a1faf7-7ad1-7589-9cd8-5f234114c382
         */
        readonly WebhookId: components["schemas"]["Id"];
        /**
         * @description The `type` from the body.
         * @example share_purchase.submitted
         */
        readonly WebhookEvent: components["schemas"]["EventType"];
    };
    requestBodies: never;
    headers: {
        /**
         * @description The id that you sent, or one that we generated. Quote it when you contact support.
         * @example my-request-1
         */
        readonly RequestId: string;
        /**
         * @description The budget in requests a minute, either of your client or of your address. The section `Limits` explains which.
         * @example 600
         */
        readonly RateLimitLimit: number;
        /**
         * @description The number of requests that are left now.
         * @example 599
         */
        readonly RateLimitRemaining: number;
        /**
         * @description The number of seconds until the budget is full again. You can often send the next request much sooner.
         * @example 1
         */
        readonly RateLimitReset: number;
        /**
         * @description The number of seconds after which you can repeat the same request.
         * @example 1
         */
        readonly RetryAfter: number;
        /**
         * @description A strong tag. It changes whenever a byte of the response changes.
         * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
         */
        readonly ETag: string;
        /**
         * @description The methods that this path supports.
         * @example GET, HEAD
         */
        readonly Allow: string;
        /**
         * @description Nobody may cache this response.
         * @example no-store
         */
        readonly NotStored: "no-store";
        /**
         * @description For HTTP/1.0 caches (RFC 6749 5.1).
         * @example no-cache
         */
        readonly NoCache: "no-cache";
        /**
         * @description Limits what the body can do when a browser opens it directly.
         * @example default-src 'none'; style-src 'unsafe-inline'; sandbox
         */
        readonly ContentSecurityPolicy: string;
        /**
         * @description You can cache this response for five minutes.
         * @example private, max-age=300
         */
        readonly PrivateFiveMinutes: "private, max-age=300";
        /**
         * @description Anybody can cache this response for five minutes.
         * @example public, max-age=300
         */
        readonly PublicFiveMinutes: "public, max-age=300";
        /**
         * @description The compressed and the uncompressed response have different bytes and a different `ETag`.
         * @example accept-encoding
         */
        readonly VaryByEncoding: "accept-encoding";
        /**
         * @description You can cache this response for an hour.
         * @example max-age=3600
         */
        readonly OneHour: "max-age=3600";
        /**
         * @description You can cache the files of a version for as long as you like, and all other files and drafts for five minutes.
         * @example public, max-age=300
         */
        readonly PublicContract: string;
        /**
         * @description A challenge as in RFC 6750. It names the error if you sent a token.
         * @example Bearer error="invalid_token"
         */
        readonly BearerChallenge: string;
        /**
         * @description A challenge as in RFC 6750, with the required scopes. It is always present with `INSUFFICIENT_SCOPE` and never with another code.
         * @example Bearer error="insufficient_scope", scope="investors:write"
         */
        readonly ScopeChallenge: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly issueToken: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
            };
        };
        readonly responses: {
            /** @description The token and the scopes that it carries. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly Pragma: components["headers"]["NoCache"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Token"];
                };
            };
            /** @description The request is not a valid token request, or it asks for scopes that the client does not have. The service issues no token. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly Pragma: components["headers"]["NoCache"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidTokenRequestError"];
                };
            };
            /** @description The client is unknown or disabled, or the secret is wrong. */
            readonly 401: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly Pragma: components["headers"]["NoCache"];
                    /** @description Asks for HTTP Basic. Present if you sent the credentials in the Authorization header. */
                    readonly "WWW-Authenticate"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvalidClientError"];
                };
            };
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
            /** @description This client or this address has sent too many token requests. */
            readonly 429: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly Pragma: components["headers"]["NoCache"];
                    readonly "Retry-After": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TemporarilyUnavailableError"];
                };
            };
            /** @description Something went wrong on our side. */
            readonly 500: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly Pragma: components["headers"]["NoCache"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description The service cannot issue tokens at the moment. */
            readonly 503: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly Pragma: components["headers"]["NoCache"];
                    readonly "Retry-After": components["headers"]["RetryAfter"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TemporarilyUnavailableError"];
                };
            };
        };
    };
    readonly readKeySet: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["KeySet"];
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
            readonly 500: components["responses"]["PublicInternalServerError"];
            readonly 503: components["responses"]["PublicServiceUnavailable"];
        };
    };
    readonly readKeySetAtOAuthPath: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["KeySet"];
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
            readonly 500: components["responses"]["PublicInternalServerError"];
            readonly 503: components["responses"]["PublicServiceUnavailable"];
        };
    };
    readonly readAuthorizationServer: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The addresses of tokens and keys, and the supported features. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "Cache-Control": components["headers"]["PublicFiveMinutes"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuthorizationServer"];
                };
            };
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
        };
    };
    readonly readClient: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The client, its organization and its scopes. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ClientInfo"];
                };
            };
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["NotAPartner"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listCooperatives: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description The page number, starting at 1. A lower number counts as 1. A page past the end is empty. A value that is not a whole number returns 400.
                 * @example 1
                 */
                readonly page?: components["parameters"]["Page"];
                /**
                 * @description The page size, from 1 to 100. A number outside this range counts as the nearest allowed number. A value that is not a whole number returns 400.
                 * @example 20
                 */
                readonly size?: components["parameters"]["Size"];
                /**
                 * @description The sort order. Names sort without regard to case and accents. An unknown value returns 400.
                 * @example created_at_desc
                 */
                readonly sort?: "created_at_desc" | "created_at_asc" | "name_asc" | "name_desc" | "share_price_asc" | "share_price_desc";
                /**
                 * @description Search words. Each word must occur in the name, city or description. Case and accents do not matter.
                 * @example allgäu
                 */
                readonly q?: string;
                /**
                 * @description The full name of the city. Case does not matter.
                 * @example Kempten (Allgäu)
                 */
                readonly city?: string;
                /**
                 * @description Whether BAFA funds the cooperative.
                 * @example false
                 */
                readonly bafa_funded?: boolean;
                /**
                 * @description The type of dividend. An unknown value returns 400.
                 * @example fixed
                 */
                readonly dividend_type?: components["schemas"]["DividendType"];
                /**
                 * @description The minimum share price as a decimal number. A value that is not a number returns 400.
                 * @example 100.00
                 */
                readonly min_share_price?: string;
                /**
                 * @description The maximum share price as a decimal number. A value that is not a number returns 400.
                 * @example 500.00
                 */
                readonly max_share_price?: string;
                /**
                 * @description The affiliation of the cooperative. An unknown value returns 400.
                 * @example affiliated
                 */
                readonly affiliation?: components["schemas"]["Affiliation"];
                /**
                 * @description The latitude of the place to search around, in degrees.
                 * @example 47.73
                 */
                readonly near_lat?: number;
                /**
                 * @description The longitude of the place to search around, in degrees.
                 * @example 10.31
                 */
                readonly near_lng?: number;
                /**
                 * @description The maximum distance of a cooperative from the place, in kilometres.
                 * @example 50
                 */
                readonly radius_km?: number;
                /**
                 * @description Adds `coordinates` to each cooperative so that you can show a map.
                 * @example false
                 */
                readonly include_coordinates?: boolean;
            };
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description The tags of your copies, separated by commas. `*` and the prefix `W/` are supported.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of cooperatives. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["PrivateFiveMinutes"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CooperativePage"];
                };
            };
            readonly 304: components["responses"]["CatalogueUnchanged"];
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            /** @description The parameters of the search by place do not work together, or one of them is out of range. */
            readonly 422: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["InvalidSearchProblem"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly readCooperative: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Returns `projects` instead of `projects_by_type`. An empty value has no effect. Any other value returns 422.
                 * @example projects
                 */
                readonly expand?: "projects";
            };
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description The tags of your copies, separated by commas. `*` and the prefix `W/` are supported.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path: {
                /**
                 * @description The id of the cooperative.
                 * @example 5a0647af-e3eb-51b5-8b01-712b95e4348b
                 */
                readonly id: components["parameters"]["CooperativeId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The cooperative. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["PrivateFiveMinutes"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CooperativeDetail"];
                };
            };
            readonly 304: components["responses"]["CatalogueUnchanged"];
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            /** @description The cooperative does not exist or is not published. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["CooperativeNotFoundProblem"];
                };
            };
            readonly 405: components["responses"]["MethodNotAllowed"];
            /** @description The value of `expand` is unknown. */
            readonly 422: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["InvalidSearchProblem"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly findInvestor: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description The reference that you sent at registration. If you omit it, you get a 400.
                 * @example c-1001
                 */
                readonly partner_customer_ref: string;
            };
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The investor. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Investor"];
                };
            };
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["InvestorNotFound"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly provisionInvestor: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ProvisionRequest"];
            };
        };
        readonly responses: {
            /** @description An investor with this reference and the same details already exists. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Investor"];
                };
            };
            /** @description The investor was created. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Investor"];
                };
            };
            readonly 400: components["responses"]["MalformedRequestBody"];
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            /** @description An investor with this reference already exists, with a different e-mail address or a different profile. */
            readonly 409: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["InvestorProfileConflictProblem"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["InvalidProfile"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly readInvestor: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id from the response to the registration.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The investor. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Investor"];
                };
            };
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["InvestorNotFound"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly replaceProfile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id from the response to the registration.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ProfileRequest"];
            };
        };
        readonly responses: {
            /** @description The profile as it is now stored, section by section. The IBAN is masked. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Profile"];
                };
            };
            readonly 400: components["responses"]["MalformedRequestBody"];
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["InvestorNotFound"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["InvalidProfile"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listSharePurchases: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description The page number, starting at 1. A lower number counts as 1. A page past the end is empty. A value that is not a whole number returns 400.
                 * @example 1
                 */
                readonly page?: components["parameters"]["Page"];
                /**
                 * @description The page size, from 1 to 100. A number outside this range counts as the nearest allowed number. A value that is not a whole number returns 400.
                 * @example 20
                 */
                readonly size?: components["parameters"]["Size"];
            };
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id from the response to the registration.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of orders. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SharePurchasePage"];
                };
            };
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["InvestorNotFound"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly placeSharePurchase: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Your own key for this order: 1 to 255 visible ASCII characters, for example a UUID.
                 * @example 4d1b3c0e-8f57-4e5c-9a52-6f0a6a1f6d11
                 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /**
                 * @description The investor_id from the response to the registration.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SharePurchaseRequest"];
            };
        };
        readonly responses: {
            /** @description The newly submitted order or, with `Idempotent-Replayed`, the existing order of the key. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    /** @description Present only if the request did not place a new order. */
                    readonly "Idempotent-Replayed"?: "true";
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SharePurchase"];
                };
            };
            readonly 400: components["responses"]["MalformedRequestBody"];
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            /** @description The investor is not yours, or the cooperative is not published. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["InvestorOrCooperativeNotFoundProblem"];
                };
            };
            readonly 405: components["responses"]["MethodNotAllowed"];
            /** @description The order conflicts with the investor's profile or with an earlier use of the Idempotency-Key. */
            readonly 409: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["SharePurchaseConflictProblem"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            /** @description A field is not valid, the order is below the cooperative's minimum, or the Idempotency-Key is malformed (then there is no `errors`). */
            readonly 422: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["InvalidSharePurchaseProblem"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly readSharePurchase: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id from the response to the registration.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
                /**
                 * @description The share_purchase_id from the response to the order.
                 * @example ba96d577-4678-5397-86e0-ed0fed1c7441
                 */
                readonly purchaseId: components["parameters"]["PurchaseId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The order. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SharePurchase"];
                };
            };
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["SharePurchaseNotFound"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly cancelSharePurchase: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id from the response to the registration.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
                /**
                 * @description The share_purchase_id from the response to the order.
                 * @example ba96d577-4678-5397-86e0-ed0fed1c7441
                 */
                readonly purchaseId: components["parameters"]["PurchaseId"];
            };
            readonly cookie?: never;
        };
        /** @description Do not send a body. If your client cannot omit it, send an empty object. */
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NoFields"];
            };
        };
        readonly responses: {
            /** @description The cancelled order. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SharePurchase"];
                };
            };
            readonly 400: components["responses"]["MalformedRequestBody"];
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["SharePurchaseNotFound"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            /** @description The order is approved or already decided. Nothing has changed. */
            readonly 409: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["IllegalStateProblem"];
                };
            };
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listHoldings: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description The page number, starting at 1. A lower number counts as 1. A page past the end is empty. A value that is not a whole number returns 400.
                 * @example 1
                 */
                readonly page?: components["parameters"]["Page"];
                /**
                 * @description The page size, from 1 to 100. A number outside this range counts as the nearest allowed number. A value that is not a whole number returns 400.
                 * @example 20
                 */
                readonly size?: components["parameters"]["Size"];
            };
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /**
                 * @description The investor_id from the response to the registration.
                 * @example b4364b78-277c-5d6d-bdc4-fff3fc9638cf
                 */
                readonly investorId: components["parameters"]["InvestorId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of holdings. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HoldingPage"];
                };
            };
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthenticated"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["InvestorNotFound"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly readCooperativeImage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description The tags of your copies, separated by commas. `*` and the prefix `W/` are supported.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path: {
                /**
                 * @description The id of the cooperative.
                 * @example 5a0647af-e3eb-51b5-8b01-712b95e4348b
                 */
                readonly id: components["parameters"]["CooperativeId"];
                /**
                 * @description The kind of image.
                 * @example hero
                 */
                readonly kind: "hero" | "card" | "logo";
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Image"];
            readonly 304: components["responses"]["ImageUnchanged"];
            readonly 404: components["responses"]["NotFound"];
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
            readonly 500: components["responses"]["PublicInternalServerError"];
            readonly 503: components["responses"]["PublicServiceUnavailable"];
        };
    };
    readonly readProjectImage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description The tags of your copies, separated by commas. `*` and the prefix `W/` are supported.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path: {
                /**
                 * @description The id of the project.
                 * @example 024e36ad-56d3-5194-88a4-da9bd70a4b9a
                 */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Image"];
            readonly 304: components["responses"]["ImageUnchanged"];
            readonly 404: components["responses"]["NotFound"];
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
            readonly 500: components["responses"]["PublicInternalServerError"];
            readonly 503: components["responses"]["PublicServiceUnavailable"];
        };
    };
    readonly readReferencePage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description The tags of your copies, separated by commas. `*` and the prefix `W/` are supported.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The page. It is compressed if `Accept-Encoding` contains gzip. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["PublicFiveMinutes"];
                    readonly Vary: components["headers"]["VaryByEncoding"];
                    readonly "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    /**
                     * @description Present if the page is compressed.
                     * @example gzip
                     */
                    readonly "Content-Encoding"?: "gzip";
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
            /** @description Your copy is still current. */
            readonly 304: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["PublicFiveMinutes"];
                    readonly Vary: components["headers"]["VaryByEncoding"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
        };
    };
    readonly readLatestContractAsYaml: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description The tags of your copies, separated by commas. `*` and the prefix `W/` are supported.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ContractAsYaml"];
            readonly 304: components["responses"]["ContractUnchanged"];
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
        };
    };
    readonly readLatestContractAsJson: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description The tags of your copies, separated by commas. `*` and the prefix `W/` are supported.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ContractAsJson"];
            readonly 304: components["responses"]["ContractUnchanged"];
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
        };
    };
    readonly readContractManifest: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description The tags of your copies, separated by commas. `*` and the prefix `W/` are supported.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Every version with its date, its changes and the digests of its files. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["PublicContract"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ContractManifest"];
                };
            };
            readonly 304: components["responses"]["ContractUnchanged"];
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
        };
    };
    readonly readContractAsYaml: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description The tags of your copies, separated by commas. `*` and the prefix `W/` are supported.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path: {
                /**
                 * @description A version from the manifest.
                 * @example 1.6.0
                 */
                readonly version: components["parameters"]["Version"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ContractAsYaml"];
            readonly 304: components["responses"]["ContractUnchanged"];
            readonly 404: components["responses"]["NotFound"];
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
        };
    };
    readonly readContractAsJson: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description The tags of your copies, separated by commas. `*` and the prefix `W/` are supported.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path: {
                /**
                 * @description A version from the manifest.
                 * @example 1.6.0
                 */
                readonly version: components["parameters"]["Version"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ContractAsJson"];
            readonly 304: components["responses"]["ContractUnchanged"];
            readonly 404: components["responses"]["NotFound"];
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
        };
    };
    readonly readContractAsCollection: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description The tags of your copies, separated by commas. `*` and the prefix `W/` are supported.
                 * @example "UX2v26ebPU7bmi4kWdPVLn-FzWQThgdgIJGBPXz66Ps"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path: {
                /**
                 * @description A version from the manifest.
                 * @example 1.6.0
                 */
                readonly version: components["parameters"]["Version"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A Postman collection in format 2.1. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["PublicContract"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly info: Record<string, never>;
                        readonly item: readonly Record<string, never>[];
                        readonly variable: readonly Record<string, never>[];
                    };
                };
            };
            readonly 304: components["responses"]["ContractUnchanged"];
            readonly 404: components["responses"]["NotFound"];
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
        };
    };
    readonly readLiveness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The process is running. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Liveness"];
                };
            };
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
        };
    };
    readonly readReadiness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 128 visible ASCII characters. We return it in the response and write it to our logs. If it is malformed, we replace it.
                 * @example my-request-1
                 */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The service can accept writes. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "Cache-Control": components["headers"]["NotStored"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Readiness"];
                };
            };
            readonly 405: components["responses"]["PublicMethodNotAllowed"];
            readonly 500: components["responses"]["PublicInternalServerError"];
            readonly 503: components["responses"]["PublicServiceUnavailable"];
        };
    };
    readonly onSharePurchaseSubmitted: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /**
                 * @description The time of the signature (`t`) and the HMAC-SHA256 of `<t>.<raw body>` with your signing secret, in hex (`v1`). If we ever add a newer scheme, this header contains both signatures for a while, each under its own name: look for `v1` and ignore the others.
                 * @example t=1795168800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                readonly "X-Service-Webhook-Signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The id of this delivery attempt. Each retry has a different one. To recognize an event that you have already received, use the `id` in the body.
                 * @example 01a1faf7-7ad1-7589-9cd8-5f234114c382
                 */
                readonly "X-Service-Webhook-Id": components["parameters"]["WebhookId"];
                /**
                 * @description The `type` from the body.
                 * @example share_purchase.submitted
                 */
                readonly "X-Service-Webhook-Event": components["parameters"]["WebhookEvent"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SharePurchaseSubmitted"];
            };
        };
        readonly responses: {
            readonly "2XX": components["responses"]["Acknowledged"];
        };
    };
    readonly onSharePurchaseApproved: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /**
                 * @description The time of the signature (`t`) and the HMAC-SHA256 of `<t>.<raw body>` with your signing secret, in hex (`v1`). If we ever add a newer scheme, this header contains both signatures for a while, each under its own name: look for `v1` and ignore the others.
                 * @example t=1795168800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                readonly "X-Service-Webhook-Signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The id of this delivery attempt. Each retry has a different one. To recognize an event that you have already received, use the `id` in the body.
                 * @example 01a1faf7-7ad1-7589-9cd8-5f234114c382
                 */
                readonly "X-Service-Webhook-Id": components["parameters"]["WebhookId"];
                /**
                 * @description The `type` from the body.
                 * @example share_purchase.submitted
                 */
                readonly "X-Service-Webhook-Event": components["parameters"]["WebhookEvent"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SharePurchaseApproved"];
            };
        };
        readonly responses: {
            readonly "2XX": components["responses"]["Acknowledged"];
        };
    };
    readonly onSharePurchaseSettled: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /**
                 * @description The time of the signature (`t`) and the HMAC-SHA256 of `<t>.<raw body>` with your signing secret, in hex (`v1`). If we ever add a newer scheme, this header contains both signatures for a while, each under its own name: look for `v1` and ignore the others.
                 * @example t=1795168800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                readonly "X-Service-Webhook-Signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The id of this delivery attempt. Each retry has a different one. To recognize an event that you have already received, use the `id` in the body.
                 * @example 01a1faf7-7ad1-7589-9cd8-5f234114c382
                 */
                readonly "X-Service-Webhook-Id": components["parameters"]["WebhookId"];
                /**
                 * @description The `type` from the body.
                 * @example share_purchase.submitted
                 */
                readonly "X-Service-Webhook-Event": components["parameters"]["WebhookEvent"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SharePurchaseSettled"];
            };
        };
        readonly responses: {
            readonly "2XX": components["responses"]["Acknowledged"];
        };
    };
    readonly onSharePurchaseRejected: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /**
                 * @description The time of the signature (`t`) and the HMAC-SHA256 of `<t>.<raw body>` with your signing secret, in hex (`v1`). If we ever add a newer scheme, this header contains both signatures for a while, each under its own name: look for `v1` and ignore the others.
                 * @example t=1795168800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                readonly "X-Service-Webhook-Signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The id of this delivery attempt. Each retry has a different one. To recognize an event that you have already received, use the `id` in the body.
                 * @example 01a1faf7-7ad1-7589-9cd8-5f234114c382
                 */
                readonly "X-Service-Webhook-Id": components["parameters"]["WebhookId"];
                /**
                 * @description The `type` from the body.
                 * @example share_purchase.submitted
                 */
                readonly "X-Service-Webhook-Event": components["parameters"]["WebhookEvent"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SharePurchaseRejected"];
            };
        };
        readonly responses: {
            readonly "2XX": components["responses"]["Acknowledged"];
        };
    };
    readonly onSharePurchaseCancelled: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /**
                 * @description The time of the signature (`t`) and the HMAC-SHA256 of `<t>.<raw body>` with your signing secret, in hex (`v1`). If we ever add a newer scheme, this header contains both signatures for a while, each under its own name: look for `v1` and ignore the others.
                 * @example t=1795168800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                readonly "X-Service-Webhook-Signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The id of this delivery attempt. Each retry has a different one. To recognize an event that you have already received, use the `id` in the body.
                 * @example 01a1faf7-7ad1-7589-9cd8-5f234114c382
                 */
                readonly "X-Service-Webhook-Id": components["parameters"]["WebhookId"];
                /**
                 * @description The `type` from the body.
                 * @example share_purchase.submitted
                 */
                readonly "X-Service-Webhook-Event": components["parameters"]["WebhookEvent"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SharePurchaseCancelled"];
            };
        };
        readonly responses: {
            readonly "2XX": components["responses"]["Acknowledged"];
        };
    };
    readonly onWebhookTest: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /**
                 * @description The time of the signature (`t`) and the HMAC-SHA256 of `<t>.<raw body>` with your signing secret, in hex (`v1`). If we ever add a newer scheme, this header contains both signatures for a while, each under its own name: look for `v1` and ignore the others.
                 * @example t=1795168800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                readonly "X-Service-Webhook-Signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The id of this delivery attempt. Each retry has a different one. To recognize an event that you have already received, use the `id` in the body.
                 * @example 01a1faf7-7ad1-7589-9cd8-5f234114c382
                 */
                readonly "X-Service-Webhook-Id": components["parameters"]["WebhookId"];
                /**
                 * @description The `type` from the body.
                 * @example share_purchase.submitted
                 */
                readonly "X-Service-Webhook-Event": components["parameters"]["WebhookEvent"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WebhookTest"];
            };
        };
        readonly responses: {
            readonly "2XX": components["responses"]["Acknowledged"];
        };
    };
}
